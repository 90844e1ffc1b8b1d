;; Sums a plane over the cells of a coarser grid. `grids.ts` fills the tables and says what lies where. `grids.wasm` is
;; this file assembled by wabt; a test compares them. Whole vectors are read and written: up to 7 samples beyond a row.
(module
  (memory (export "memory") 1)

  ;; For each row of cells: `$rows` holds its first sample row, how many rows there are, and `$most` weights (i32).
  ;; Writes weighted sums of columns, `$lineBytes` for each row of cells (i32).
  (func (export "sumRows")
    (param $plane i32) (param $stride i32) (param $width i32) (param $rows i32) (param $count i32) (param $most i32)
    (param $out i32) (param $lineBytes i32)
    (local $x i32) (local $from i32) (local $weights i32) (local $end i32)
    (local $v v128) (local $weight v128) (local $low v128) (local $high v128)
    (loop $cells
      (local.set $end
        (i32.add
          (i32.add (local.get $rows) (i32.const 8))
          (i32.shl (i32.load offset=4 (local.get $rows)) (i32.const 2))))
      (local.set $x (i32.const 0))
      (loop $across
        (local.set $from
          (i32.add
            (i32.add (local.get $plane) (local.get $x))
            (i32.mul (i32.load (local.get $rows)) (local.get $stride))))
        (local.set $weights (i32.add (local.get $rows) (i32.const 8)))
        (local.set $low (v128.const i64x2 0 0))
        (local.set $high (v128.const i64x2 0 0))
        (loop $down
          (local.set $v (v128.load8x8_u (local.get $from)))
          (local.set $weight (i16x8.splat (i32.load (local.get $weights))))
          (local.set $low (i32x4.add (local.get $low) (i32x4.extmul_low_i16x8_u (local.get $v) (local.get $weight))))
          (local.set $high (i32x4.add (local.get $high) (i32x4.extmul_high_i16x8_u (local.get $v) (local.get $weight))))
          (local.set $from (i32.add (local.get $from) (local.get $stride)))
          (local.set $weights (i32.add (local.get $weights) (i32.const 4)))
          (br_if $down (i32.lt_u (local.get $weights) (local.get $end))))
        (v128.store (i32.add (local.get $out) (i32.shl (local.get $x) (i32.const 2))) (local.get $low))
        (v128.store offset=16 (i32.add (local.get $out) (i32.shl (local.get $x) (i32.const 2))) (local.get $high))
        (local.set $x (i32.add (local.get $x) (i32.const 8)))
        (br_if $across (i32.lt_u (local.get $x) (local.get $width))))
      (local.set $out (i32.add (local.get $out) (local.get $lineBytes)))
      (local.set $rows (i32.add (local.get $rows) (i32.shl (i32.add (local.get $most) (i32.const 2)) (i32.const 2))))
      (local.set $count (i32.sub (local.get $count) (i32.const 1)))
      (br_if $cells (local.get $count))))

  ;; For each column of cells: `$columns` holds its first sample (i32, in a vector of its own), and `$vectors` vectors of weights.
  ;; Writes weighted sums of each line's samples (i32).
  (func (export "sumColumns")
    (param $lines i32) (param $lineBytes i32) (param $columns i32) (param $count i32) (param $vectors i32)
    (param $out i32) (param $end i32)
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
            (i32x4.add
              (local.get $sum)
              (i32x4.mul (v128.load (local.get $at)) (v128.load (local.get $column)))))
          (local.set $at (i32.add (local.get $at) (i32.const 16)))
          (local.set $k (i32.sub (local.get $k) (i32.const 1)))
          (br_if $taps (local.get $k)))
        (local.set $column (i32.add (local.get $column) (i32.const 16)))
        (local.set $sum
          (i32x4.add
            (local.get $sum)
            (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $sum) (local.get $sum))))
        (i32.store
          (local.get $out)
          (i32.add (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 1 (local.get $sum))))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (local.set $left (i32.sub (local.get $left) (i32.const 1)))
        (br_if $across (local.get $left)))
      (local.set $lines (i32.add (local.get $lines) (local.get $lineBytes)))
      (br_if $down (i32.lt_u (local.get $out) (local.get $end))))))
