;; Finds and compares strokes of ink. `caption-ink.ts` says what they are, and what lies where. `caption-ink.wasm` is this file assembled
;; by wabt; a test compares them. Pictures are of bytes without padding; ink is 1, the rest 0. Whole vectors are read and
;; written: up to 15 bytes beyond a picture's end.
(module
  (memory (export "memory") 1)

  ;; Within `$reach` pixels beyond the edge of a stroke its level has changed by `$fall`.
  (func $isSharp
    (param $level i32) (param $edge i32) (param $direction i32) (param $reach i32) (param $fall i32) (result i32)
    (local $change i32)
    (loop $steps
      (local.set $edge (i32.add (local.get $edge) (local.get $direction)))
      (local.set $change (i32.sub (local.get $level) (i32.load8_u (local.get $edge))))
      (if (i32.ge_s (local.get $change) (local.get $fall)) (then (return (i32.const 1))))
      (if (i32.le_s (local.get $change) (i32.sub (i32.const 0) (local.get $fall))) (then (return (i32.const 1))))
      (local.set $reach (i32.sub (local.get $reach) (i32.const 1)))
      (br_if $steps (local.get $reach)))
    (i32.const 0))

  ;; Marks what stands out around the turn at `$at` from the turns on both of its sides, unless it is too wide or blurred.
  ;; `$flip` is 255 for a valley, which is looked at upside down, 0 for a peak; `$extreme` the least level, flipped likewise.
  (func $mark
    (param $before i32) (param $at i32) (param $after i32) (param $toOut i32) (param $flip i32) (param $extreme i32)
    (param $contrast i32) (param $widest i32) (param $reach i32) (param $fall i32)
    (local $least i32) (local $side i32) (local $first i32) (local $end i32)
    (local.set $least (i32.add (i32.xor (i32.load8_u (local.get $before)) (local.get $flip)) (local.get $contrast)))
    (local.set $side (i32.add (i32.xor (i32.load8_u (local.get $after)) (local.get $flip)) (local.get $contrast)))
    (if (i32.gt_s (local.get $side) (local.get $least)) (then (local.set $least (local.get $side))))
    (if (i32.gt_s (local.get $extreme) (local.get $least)) (then (local.set $least (local.get $extreme))))
    (if (i32.lt_s (i32.xor (i32.load8_u (local.get $at)) (local.get $flip)) (local.get $least)) (then (return)))
    (local.set $first (i32.sub (local.get $at) (i32.const 1)))
    (loop $back
      (if (i32.ge_s (i32.xor (i32.load8_u (local.get $first)) (local.get $flip)) (local.get $least))
        (then
          (local.set $first (i32.sub (local.get $first) (i32.const 1)))
          (br $back))))
    (local.set $end (i32.add (local.get $at) (i32.const 1)))
    (loop $on
      (if (i32.ge_s (i32.xor (i32.load8_u (local.get $end)) (local.get $flip)) (local.get $least))
        (then
          (local.set $end (i32.add (local.get $end) (i32.const 1)))
          (br $on))))
    (local.set $first (i32.add (local.get $first) (i32.const 1)))
    (if (i32.gt_s (i32.sub (local.get $end) (local.get $first)) (local.get $widest)) (then (return)))
    (local.set $side (i32.load8_u (local.get $at)))
    (if
      (i32.eqz
        (call $isSharp (local.get $side) (local.get $first) (i32.const -1) (local.get $reach) (local.get $fall)))
      (then (return)))
    (if
      (i32.eqz
        (call $isSharp
          (local.get $side)
          (i32.sub (local.get $end) (i32.const 1))
          (i32.const 1)
          (local.get $reach)
          (local.get $fall)))
      (then (return)))
    (memory.fill
      (i32.add (local.get $first) (local.get $toOut))
      (i32.const 1)
      (i32.sub (local.get $end) (local.get $first))))

  ;; A zigzag of rises and falls of at least the contrast: each turn but the first and last of a row is marked.
  (func $row
    (param $start i32) (param $end i32) (param $toBright i32) (param $toDark i32)
    (param $contrast i32) (param $leastBright i32) (param $leastDark i32)
    (param $widest i32) (param $reach i32) (param $fall i32)
    (local $i i32) (local $value i32) (local $high i32) (local $low i32) (local $highAt i32) (local $lowAt i32)
    (local $rising i32) (local $flip i32) (local $before i32) (local $last i32) (local $extreme i32) (local $extremeAt i32)
    (local.set $highAt (local.get $start))
    (local.set $lowAt (local.get $start))
    (local.set $high (i32.load8_u (local.get $start)))
    (local.set $low (local.get $high))
    (local.set $i (i32.add (local.get $start) (i32.const 1)))
    ;; Until the first swing there is no telling a peak from a valley.
    (block $swing
      (loop $plain
        (if (i32.ge_u (local.get $i) (local.get $end)) (then (return)))
        (local.set $value (i32.load8_u (local.get $i)))
        (if (i32.gt_u (local.get $value) (local.get $high))
          (then
            (local.set $high (local.get $value))
            (local.set $highAt (local.get $i)))
          (else
            (if (i32.lt_u (local.get $value) (local.get $low))
              (then
                (local.set $low (local.get $value))
                (local.set $lowAt (local.get $i))))))
        (br_if $swing (i32.ge_u (i32.sub (local.get $high) (local.get $low)) (local.get $contrast)))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br $plain)))
    (local.set $rising (i32.gt_u (local.get $highAt) (local.get $lowAt)))
    (local.set $last (select (local.get $lowAt) (local.get $highAt) (local.get $rising)))
    (loop $turns
      (local.set $flip (select (i32.const 0) (i32.const 255) (local.get $rising)))
      (local.set $extremeAt (local.get $i))
      (local.set $extreme (i32.xor (i32.load8_u (local.get $i)) (local.get $flip)))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (block $turned
        (loop $along
          (br_if $turned (i32.ge_u (local.get $i) (local.get $end)))
          (local.set $value (i32.xor (i32.load8_u (local.get $i)) (local.get $flip)))
          (if (i32.gt_u (local.get $value) (local.get $extreme))
            (then
              (local.set $extreme (local.get $value))
              (local.set $extremeAt (local.get $i)))
            (else
              (br_if $turned
                (i32.ge_u (i32.sub (local.get $extreme) (local.get $value)) (local.get $contrast)))))
          (local.set $i (i32.add (local.get $i) (i32.const 1)))
          (br $along)))
      ;; The turn before now has both of its sides: a valley while the row rises.
      (if (local.get $before)
        (then
          (call $mark
            (local.get $before)
            (local.get $last)
            (local.get $extremeAt)
            (select (local.get $toDark) (local.get $toBright) (local.get $rising))
            (select (i32.const 255) (i32.const 0) (local.get $rising))
            (select (local.get $leastDark) (local.get $leastBright) (local.get $rising))
            (local.get $contrast)
            (local.get $widest)
            (local.get $reach)
            (local.get $fall))))
      (local.set $before (local.get $last))
      (local.set $last (local.get $extremeAt))
      (local.set $rising (i32.eqz (local.get $rising)))
      (br_if $turns (i32.lt_u (local.get $i) (local.get $end)))))

  (func (export "findStrokes")
    (param $grey i32) (param $width i32) (param $height i32) (param $bright i32) (param $dark i32)
    (param $contrast i32) (param $leastBright i32) (param $leastDark i32)
    (param $widest i32) (param $reach i32) (param $fall i32)
    (local $size i32) (local $end i32)
    (local.set $size (i32.mul (local.get $width) (local.get $height)))
    (memory.fill (local.get $bright) (i32.const 0) (local.get $size))
    (memory.fill (local.get $dark) (i32.const 0) (local.get $size))
    (local.set $bright (i32.sub (local.get $bright) (local.get $grey)))
    (local.set $dark (i32.sub (local.get $dark) (local.get $grey)))
    (local.set $end (i32.add (local.get $grey) (local.get $size)))
    (loop $rows
      (call $row
        (local.get $grey)
        (i32.add (local.get $grey) (local.get $width))
        (local.get $bright)
        (local.get $dark)
        (local.get $contrast)
        (local.get $leastBright)
        (local.get $leastDark)
        (local.get $widest)
        (local.get $reach)
        (local.get $fall))
      (local.set $grey (i32.add (local.get $grey) (local.get $width)))
      (br_if $rows (i32.lt_u (local.get $grey) (local.get $end)))))

  ;; 255 where two levels differ by no more than `$most`.
  (func $areNear (param $a v128) (param $b v128) (param $most v128) (result v128)
    (i8x16.eq
      (i8x16.sub_sat_u
        (v128.or
          (i8x16.sub_sat_u (local.get $a) (local.get $b))
          (i8x16.sub_sat_u (local.get $b) (local.get $a)))
        (local.get $most))
      (v128.const i64x2 0 0)))

  ;; Ink of two looks that did not change between them, and was not in the one before.
  (func (export "markFresh")
    (param $now i32) (param $nowGrey i32) (param $then i32) (param $thenGrey i32)
    (param $before i32) (param $beforeGrey i32) (param $out i32) (param $count i32) (param $most i32)
    (local $i i32) (local $ink v128) (local $grey v128) (local $near v128)
    (local.set $near (i8x16.splat (local.get $most)))
    (loop $vectors
      (local.set $ink
        (v128.and
          (v128.load (i32.add (local.get $now) (local.get $i)))
          (v128.load (i32.add (local.get $then) (local.get $i)))))
      ;; Ink is rare.
      (if (v128.any_true (local.get $ink))
        (then
          (local.set $grey (v128.load (i32.add (local.get $thenGrey) (local.get $i))))
          (local.set $ink
            (v128.and
              (local.get $ink)
              (call $areNear
                (local.get $grey)
                (v128.load (i32.add (local.get $nowGrey) (local.get $i)))
                (local.get $near))))
          (local.set $ink
            (v128.andnot
              (local.get $ink)
              (v128.and
                (v128.load (i32.add (local.get $before) (local.get $i)))
                (call $areNear
                  (local.get $grey)
                  (v128.load (i32.add (local.get $beforeGrey) (local.get $i)))
                  (local.get $near)))))))
      (v128.store (i32.add (local.get $out) (local.get $i)) (local.get $ink))
      (local.set $i (i32.add (local.get $i) (i32.const 16)))
      (br_if $vectors (i32.lt_u (local.get $i) (local.get $count)))))

  ;; Ink that was not in the look before, or has changed since.
  (func (export "markChanged")
    (param $ink i32) (param $grey i32) (param $then i32) (param $thenGrey i32)
    (param $out i32) (param $count i32) (param $most i32)
    (local $i i32) (local $v v128) (local $near v128)
    (local.set $near (i8x16.splat (local.get $most)))
    (loop $vectors
      (local.set $v (v128.load (i32.add (local.get $ink) (local.get $i))))
      (if (v128.any_true (local.get $v))
        (then
          (local.set $v
            (v128.andnot
              (local.get $v)
              (v128.and
                (v128.load (i32.add (local.get $then) (local.get $i)))
                (call $areNear
                  (v128.load (i32.add (local.get $grey) (local.get $i)))
                  (v128.load (i32.add (local.get $thenGrey) (local.get $i)))
                  (local.get $near)))))))
      (v128.store (i32.add (local.get $out) (local.get $i)) (local.get $v))
      (local.set $i (i32.add (local.get $i) (i32.const 16)))
      (br_if $vectors (i32.lt_u (local.get $i) (local.get $count)))))

  ;; Ink of tiles of 8 pixels by `$tileRows` rows, one byte each; `$stride` bytes from row to row, the columns' rest left out.
  (func (export "countTiles")
    (param $ink i32) (param $stride i32) (param $columns i32) (param $rows i32) (param $tileRows i32) (param $out i32)
    (local $row i32) (local $column i32) (local $from i32) (local $k i32) (local $at i32) (local $sum i64)
    (block $none
      (br_if $none (i32.eqz (i32.mul (local.get $columns) (local.get $rows))))
      (loop $down
        (local.set $column (i32.const 0))
        (local.set $at (local.get $ink))
        (loop $across
          (local.set $from (local.get $at))
          (local.set $k (i32.const 0))
          (local.set $sum (i64.const 0))
          (loop $tile
            (local.set $sum (i64.add (local.get $sum) (i64.load (local.get $from))))
            (local.set $from (i32.add (local.get $from) (local.get $stride)))
            (local.set $k (i32.add (local.get $k) (i32.const 1)))
            (br_if $tile (i32.lt_u (local.get $k) (local.get $tileRows))))
          ;; The sum of the eight bytes is the product's highest.
          (i32.store8
            (local.get $out)
            (i32.wrap_i64
              (i64.shr_u (i64.mul (local.get $sum) (i64.const 0x0101010101010101)) (i64.const 56))))
          (local.set $out (i32.add (local.get $out) (i32.const 1)))
          (local.set $at (i32.add (local.get $at) (i32.const 8)))
          (local.set $column (i32.add (local.get $column) (i32.const 1)))
          (br_if $across (i32.lt_u (local.get $column) (local.get $columns))))
        (local.set $ink (i32.add (local.get $ink) (i32.mul (local.get $stride) (local.get $tileRows))))
        (local.set $row (i32.add (local.get $row) (i32.const 1)))
        (br_if $down (i32.lt_u (local.get $row) (local.get $rows)))))))
