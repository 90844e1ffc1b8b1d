;; Samples one plane at new rows and columns by four taps each way. `resample.ts` fills the tables.
;; `resample.wasm` is this file assembled by wabt; a test compares them.
(module
  (memory (export "memory") 1)
  (func (export "resample")
    (param $source i32)
    ;; For each output row: byte offsets of four source rows (i32), then their weights (i16, 14 fractional bits).
    (param $rows i32)
    ;; For each output column: byte offset of its first tap in the working line (i32); and four weights (i16).
    (param $columns i32) (param $weights i32)
    ;; Working line (i16, 6 fractional bits): sample −1 first. Samples in a source row.
    (param $line i32) (param $lineWidth i32)
    (param $target i32) (param $stride i32) (param $width i32) (param $height i32)
    (local $x i32) (local $at i32) (local $first v128) (local $last v128)
    (local $a i32) (local $b i32) (local $c i32) (local $d i32)
    (local $pa v128) (local $pb v128) (local $pc v128) (local $pd v128)
    (local $column i32) (local $weight i32)
    (loop $nextRow
      (local.set $a (i32.add (local.get $source) (i32.load offset=0 (local.get $rows))))
      (local.set $b (i32.add (local.get $source) (i32.load offset=4 (local.get $rows))))
      (local.set $c (i32.add (local.get $source) (i32.load offset=8 (local.get $rows))))
      (local.set $d (i32.add (local.get $source) (i32.load offset=12 (local.get $rows))))
      (local.set $first (v128.load32_splat offset=16 (local.get $rows)))
      (local.set $last (v128.load32_splat offset=20 (local.get $rows)))
      (local.set $rows (i32.add (local.get $rows) (i32.const 24)))

      ;; The four rows, weighted, into the working line; eight samples at a time.
      (local.set $x (i32.const 0))
      (local.set $at (i32.add (local.get $line) (i32.const 2)))
      (loop $down
        (local.set $pa (v128.load8x8_u (i32.add (local.get $a) (local.get $x))))
        (local.set $pb (v128.load8x8_u (i32.add (local.get $b) (local.get $x))))
        (local.set $pc (v128.load8x8_u (i32.add (local.get $c) (local.get $x))))
        (local.set $pd (v128.load8x8_u (i32.add (local.get $d) (local.get $x))))
        (v128.store
          (local.get $at)
          (i16x8.narrow_i32x4_s
            (i32x4.shr_s
              (i32x4.add
                (i32x4.add
                  (i32x4.dot_i16x8_s
                    (i8x16.shuffle 0 1 16 17 2 3 18 19 4 5 20 21 6 7 22 23 (local.get $pa) (local.get $pb))
                    (local.get $first))
                  (i32x4.dot_i16x8_s
                    (i8x16.shuffle 0 1 16 17 2 3 18 19 4 5 20 21 6 7 22 23 (local.get $pc) (local.get $pd))
                    (local.get $last)))
                (v128.const i32x4 128 128 128 128))
              (i32.const 8))
            (i32x4.shr_s
              (i32x4.add
                (i32x4.add
                  (i32x4.dot_i16x8_s
                    (i8x16.shuffle 8 9 24 25 10 11 26 27 12 13 28 29 14 15 30 31 (local.get $pa) (local.get $pb))
                    (local.get $first))
                  (i32x4.dot_i16x8_s
                    (i8x16.shuffle 8 9 24 25 10 11 26 27 12 13 28 29 14 15 30 31 (local.get $pc) (local.get $pd))
                    (local.get $last)))
                (v128.const i32x4 128 128 128 128))
              (i32.const 8))))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (local.set $x (i32.add (local.get $x) (i32.const 8)))
        (br_if $down (i32.lt_u (local.get $x) (local.get $lineWidth))))

      ;; Beyond its ends the outermost sample goes on.
      (i32.store16 (local.get $line) (i32.load16_u offset=2 (local.get $line)))
      (local.set $at (i32.add (local.get $line) (i32.shl (local.get $lineWidth) (i32.const 1))))
      (i32.store16 offset=2 (local.get $at) (i32.load16_u (local.get $at)))
      (i32.store16 offset=4 (local.get $at) (i32.load16_u (local.get $at)))

      ;; Four taps of the line for each output sample; four samples at a time.
      (local.set $x (i32.const 0))
      (local.set $column (local.get $columns))
      (local.set $weight (local.get $weights))
      (loop $across
        (local.set $pa
          (i32x4.dot_i16x8_s
            (v128.load64_lane 1
              (i32.add (local.get $line) (i32.load offset=4 (local.get $column)))
              (v128.load64_zero (i32.add (local.get $line) (i32.load (local.get $column)))))
            (v128.load (local.get $weight))))
        (local.set $pb
          (i32x4.dot_i16x8_s
            (v128.load64_lane 1
              (i32.add (local.get $line) (i32.load offset=12 (local.get $column)))
              (v128.load64_zero (i32.add (local.get $line) (i32.load offset=8 (local.get $column)))))
            (v128.load offset=16 (local.get $weight))))
        (local.set $pc
          (i32x4.shr_s
            (i32x4.add
              (i32x4.add
                (i8x16.shuffle 0 1 2 3 8 9 10 11 16 17 18 19 24 25 26 27 (local.get $pa) (local.get $pb))
                (i8x16.shuffle 4 5 6 7 12 13 14 15 20 21 22 23 28 29 30 31 (local.get $pa) (local.get $pb)))
              (v128.const i32x4 524288 524288 524288 524288))
            (i32.const 20)))
        (local.set $pc (i16x8.narrow_i32x4_s (local.get $pc) (local.get $pc)))
        (v128.store32_lane 0
          (i32.add (local.get $target) (local.get $x))
          (i8x16.narrow_i16x8_u (local.get $pc) (local.get $pc)))
        (local.set $column (i32.add (local.get $column) (i32.const 16)))
        (local.set $weight (i32.add (local.get $weight) (i32.const 32)))
        (local.set $x (i32.add (local.get $x) (i32.const 4)))
        (br_if $across (i32.lt_u (local.get $x) (local.get $width))))
      (local.set $target (i32.add (local.get $target) (local.get $stride)))
      (local.set $height (i32.sub (local.get $height) (i32.const 1)))
      (br_if $nextRow (local.get $height)))))
