;; Means of a plane over the cells of a coarser grid. `area-means.ts` fills the tables and says what lies where.
;; `area-means.wasm` is this file assembled by wabt; a test compares them. Whole vectors are read and written: up to 63
;; samples beyond a row.
(module
  (memory (export "memory") 1)

  ;; For each row of cells: `$rows` holds four i32: its first sample row, how many rows lie wholly within (at most 257),
  ;; and the weights of the rows before and after those, 0 where there are none. Writes weighted sums of columns (f32),
  ;; `$lineBytes` for each row of cells. `$narrow` has room for a row of 16 bits a sample.
  (func (export "sumRows")
    (param $plane i32) (param $stride i32) (param $width i32) (param $rows i32) (param $count i32) (param $whole f32)
    (param $narrow i32) (param $lines i32) (param $lineBytes i32)
    (local $from i32) (local $within i32)
    (loop $cells
      (local.set $from
        (i32.add (local.get $plane) (i32.mul (i32.load (local.get $rows)) (local.get $stride))))
      (local.set $within
        (i32.add
          (local.get $from)
          (select (local.get $stride) (i32.const 0) (i32.load offset=8 (local.get $rows)))))
      (call $sumWhole
        (local.get $within) (local.get $stride) (local.get $width) (i32.load offset=4 (local.get $rows))
        (local.get $narrow))
      (call $widen (local.get $narrow) (local.get $width) (local.get $whole) (local.get $lines))
      (if (i32.load offset=8 (local.get $rows))
        (then
          (call $addRow
            (local.get $from) (local.get $width)
            (f32.convert_i32_s (i32.load offset=8 (local.get $rows))) (local.get $lines))))
      (if (i32.load offset=12 (local.get $rows))
        (then
          (call $addRow
            (i32.add (local.get $within) (i32.mul (i32.load offset=4 (local.get $rows)) (local.get $stride)))
            (local.get $width)
            (f32.convert_i32_s (i32.load offset=12 (local.get $rows))) (local.get $lines))))
      (local.set $lines (i32.add (local.get $lines) (local.get $lineBytes)))
      (local.set $rows (i32.add (local.get $rows) (i32.const 16)))
      (local.set $count (i32.sub (local.get $count) (i32.const 1)))
      (br_if $cells (local.get $count))))

  ;; Sums of `$count` rows, 16 bits a sample.
  (func $sumWhole
    (param $plane i32) (param $stride i32) (param $width i32) (param $count i32) (param $out i32)
    (local $end i32) (local $from i32) (local $left i32) (local $v v128)
    (local $s0 v128) (local $s1 v128) (local $s2 v128) (local $s3 v128)
    (local $s4 v128) (local $s5 v128) (local $s6 v128) (local $s7 v128)
    (local.set $end (i32.add (local.get $plane) (local.get $width)))
    (loop $across
      (local.set $s0 (v128.const i64x2 0 0))
      (local.set $s1 (v128.const i64x2 0 0))
      (local.set $s2 (v128.const i64x2 0 0))
      (local.set $s3 (v128.const i64x2 0 0))
      (local.set $s4 (v128.const i64x2 0 0))
      (local.set $s5 (v128.const i64x2 0 0))
      (local.set $s6 (v128.const i64x2 0 0))
      (local.set $s7 (v128.const i64x2 0 0))
      (local.set $from (local.get $plane))
      (local.set $left (local.get $count))
      (if (local.get $left)
        (then
          (loop $down
            (local.set $v (v128.load (local.get $from)))
            (local.set $s0 (i16x8.add (local.get $s0) (i16x8.extend_low_i8x16_u (local.get $v))))
            (local.set $s1 (i16x8.add (local.get $s1) (i16x8.extend_high_i8x16_u (local.get $v))))
            (local.set $v (v128.load offset=16 (local.get $from)))
            (local.set $s2 (i16x8.add (local.get $s2) (i16x8.extend_low_i8x16_u (local.get $v))))
            (local.set $s3 (i16x8.add (local.get $s3) (i16x8.extend_high_i8x16_u (local.get $v))))
            (local.set $v (v128.load offset=32 (local.get $from)))
            (local.set $s4 (i16x8.add (local.get $s4) (i16x8.extend_low_i8x16_u (local.get $v))))
            (local.set $s5 (i16x8.add (local.get $s5) (i16x8.extend_high_i8x16_u (local.get $v))))
            (local.set $v (v128.load offset=48 (local.get $from)))
            (local.set $s6 (i16x8.add (local.get $s6) (i16x8.extend_low_i8x16_u (local.get $v))))
            (local.set $s7 (i16x8.add (local.get $s7) (i16x8.extend_high_i8x16_u (local.get $v))))
            (local.set $from (i32.add (local.get $from) (local.get $stride)))
            (local.set $left (i32.sub (local.get $left) (i32.const 1)))
            (br_if $down (local.get $left)))))
      (v128.store (local.get $out) (local.get $s0))
      (v128.store offset=16 (local.get $out) (local.get $s1))
      (v128.store offset=32 (local.get $out) (local.get $s2))
      (v128.store offset=48 (local.get $out) (local.get $s3))
      (v128.store offset=64 (local.get $out) (local.get $s4))
      (v128.store offset=80 (local.get $out) (local.get $s5))
      (v128.store offset=96 (local.get $out) (local.get $s6))
      (v128.store offset=112 (local.get $out) (local.get $s7))
      (local.set $out (i32.add (local.get $out) (i32.const 128)))
      (local.set $plane (i32.add (local.get $plane) (i32.const 64)))
      (br_if $across (i32.lt_u (local.get $plane) (local.get $end)))))

  ;; `$times` sums of 16 bits, as f32.
  (func $widen (param $from i32) (param $width i32) (param $times f32) (param $out i32)
    (local $end i32) (local $v v128) (local $weight v128)
    (local.set $end (i32.add (local.get $from) (i32.shl (local.get $width) (i32.const 1))))
    (local.set $weight (f32x4.splat (local.get $times)))
    (loop $next
      (local.set $v (v128.load (local.get $from)))
      (v128.store
        (local.get $out)
        (f32x4.mul (local.get $weight) (f32x4.convert_i32x4_u (i32x4.extend_low_i16x8_u (local.get $v)))))
      (v128.store offset=16
        (local.get $out)
        (f32x4.mul (local.get $weight) (f32x4.convert_i32x4_u (i32x4.extend_high_i16x8_u (local.get $v)))))
      (local.set $out (i32.add (local.get $out) (i32.const 32)))
      (local.set $from (i32.add (local.get $from) (i32.const 16)))
      (br_if $next (i32.lt_u (local.get $from) (local.get $end)))))

  ;; Adds `$times` a row of samples to a line of f32.
  (func $addRow (param $from i32) (param $width i32) (param $times f32) (param $line i32)
    (local $end i32) (local $v v128) (local $weight v128)
    (local.set $end (i32.add (local.get $from) (local.get $width)))
    (local.set $weight (f32x4.splat (local.get $times)))
    (loop $next
      (local.set $v (v128.load8x8_u (local.get $from)))
      (v128.store
        (local.get $line)
        (f32x4.add
          (v128.load (local.get $line))
          (f32x4.mul (local.get $weight) (f32x4.convert_i32x4_u (i32x4.extend_low_i16x8_u (local.get $v))))))
      (v128.store offset=16
        (local.get $line)
        (f32x4.add
          (v128.load offset=16 (local.get $line))
          (f32x4.mul (local.get $weight) (f32x4.convert_i32x4_u (i32x4.extend_high_i16x8_u (local.get $v))))))
      (local.set $line (i32.add (local.get $line) (i32.const 32)))
      (local.set $from (i32.add (local.get $from) (i32.const 8)))
      (br_if $next (i32.lt_u (local.get $from) (local.get $end)))))

  ;; For each column of cells: `$columns` holds its first sample (i32, in a vector of its own), and `$vectors` vectors of
  ;; weights (f32). Writes `$share` times the weighted sums of each line, up to `$end`.
  (func (export "sumColumns")
    (param $lines i32) (param $lineBytes i32) (param $columns i32) (param $count i32) (param $vectors i32)
    (param $share f32) (param $out i32) (param $end i32)
    (local $column i32) (local $left i32) (local $at i32) (local $k i32) (local $sum v128)
    (loop $down
      (local.set $column (local.get $columns))
      (local.set $left (local.get $count))
      (loop $across
        (local.set $at (i32.add (local.get $lines) (i32.shl (i32.load (local.get $column)) (i32.const 2))))
        (local.set $sum (v128.const i64x2 0 0))
        (local.set $k (local.get $vectors))
        (loop $taps
          (local.set $column (i32.add (local.get $column) (i32.const 16)))
          (local.set $sum
            (f32x4.add
              (local.get $sum)
              (f32x4.mul (v128.load (local.get $at)) (v128.load (local.get $column)))))
          (local.set $at (i32.add (local.get $at) (i32.const 16)))
          (local.set $k (i32.sub (local.get $k) (i32.const 1)))
          (br_if $taps (local.get $k)))
        (local.set $column (i32.add (local.get $column) (i32.const 16)))
        (local.set $sum
          (f32x4.add
            (local.get $sum)
            (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $sum) (local.get $sum))))
        (f32.store
          (local.get $out)
          (f32.mul
            (local.get $share)
            (f32.add (f32x4.extract_lane 0 (local.get $sum)) (f32x4.extract_lane 1 (local.get $sum)))))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (local.set $left (i32.sub (local.get $left) (i32.const 1)))
        (br_if $across (local.get $left)))
      (local.set $lines (i32.add (local.get $lines) (local.get $lineBytes)))
      (br_if $down (i32.lt_u (local.get $out) (local.get $end)))))

  ;; Bytes of `$gain` × a mean + `$offset`, rounded, cut off at 0 and 255.
  (func (export "levels")
    (param $means i32) (param $count i32) (param $gain f32) (param $offset f32) (param $out i32)
    (local $end i32)
    (local.set $end (i32.add (local.get $out) (local.get $count)))
    (loop $next
      (v128.store
        (local.get $out)
        (i8x16.narrow_i16x8_u
          (i16x8.narrow_i32x4_u
            (call $rounded (v128.load (local.get $means)) (local.get $gain) (local.get $offset))
            (call $rounded (v128.load offset=16 (local.get $means)) (local.get $gain) (local.get $offset)))
          (i16x8.narrow_i32x4_u
            (call $rounded (v128.load offset=32 (local.get $means)) (local.get $gain) (local.get $offset))
            (call $rounded (v128.load offset=48 (local.get $means)) (local.get $gain) (local.get $offset)))))
      (local.set $means (i32.add (local.get $means) (i32.const 64)))
      (local.set $out (i32.add (local.get $out) (i32.const 16)))
      (br_if $next (i32.lt_u (local.get $out) (local.get $end)))))

  (func $rounded (param $v v128) (param $gain f32) (param $offset f32) (result v128)
    (i32x4.trunc_sat_f32x4_u
      (f32x4.add
        (f32x4.mul (local.get $v) (f32x4.splat (local.get $gain)))
        (f32x4.splat (f32.add (local.get $offset) (f32.const 0.5)))))))
