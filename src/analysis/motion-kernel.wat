;; Smoothing, gradients and comparison of 8×8 blocks for the motion field. `motion-kernel.ts` says what lies where.
;; `motion-kernel.wasm` is this file assembled by wabt; a test compares them. Pictures are of 16-bit samples, sixteenths of a grey level
;; (0..4080), without padding; strides are in bytes. Whole vectors are read and written: up to 14 bytes beyond a row's end.
(module
  (memory (export "memory") 1)

  (func $sumOfLanes (param $v v128) (result i32)
    (local.set $v
      (i32x4.add (local.get $v) (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $v) (local.get $v))))
    (i32.add (i32x4.extract_lane 0 (local.get $v)) (i32x4.extract_lane 1 (local.get $v))))

  (func $sumOfFloats (param $v v128) (result f32)
    (local.set $v
      (f32x4.add (local.get $v) (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $v) (local.get $v))))
    (f32.add (f32x4.extract_lane 0 (local.get $v)) (f32x4.extract_lane 1 (local.get $v))))

  ;; 1-2-1 both ways, the picture continued at its border. The line holds a row and a sample beyond each of its ends.
  (func (export "smooth")
    (param $grey i32) (param $width i32) (param $height i32) (param $line i32) (param $out i32)
    (local $y i32) (local $x i32) (local $up i32) (local $here i32) (local $down i32) (local $at i32) (local $v v128)
    (local.set $here (local.get $grey))
    (loop $rows
      (local.set $up
        (select (i32.sub (local.get $here) (local.get $width)) (local.get $here) (local.get $y)))
      (local.set $y (i32.add (local.get $y) (i32.const 1)))
      (local.set $down
        (select
          (i32.add (local.get $here) (local.get $width))
          (local.get $here)
          (i32.lt_u (local.get $y) (local.get $height))))
      (local.set $x (i32.const 0))
      (loop $across
        (local.set $v (v128.load8x8_u (i32.add (local.get $here) (local.get $x))))
        (v128.store offset=2
          (i32.add (local.get $line) (i32.shl (local.get $x) (i32.const 1)))
          (i16x8.add
            (i16x8.add
              (v128.load8x8_u (i32.add (local.get $up) (local.get $x)))
              (v128.load8x8_u (i32.add (local.get $down) (local.get $x))))
            (i16x8.add (local.get $v) (local.get $v))))
        (local.set $x (i32.add (local.get $x) (i32.const 8)))
        (br_if $across (i32.lt_u (local.get $x) (local.get $width))))
      (i32.store16 (local.get $line) (i32.load16_u offset=2 (local.get $line)))
      (local.set $at (i32.add (local.get $line) (i32.shl (local.get $width) (i32.const 1))))
      (i32.store16 offset=2 (local.get $at) (i32.load16_u (local.get $at)))
      (local.set $x (i32.const 0))
      (loop $along
        (local.set $at (i32.add (local.get $line) (i32.shl (local.get $x) (i32.const 1))))
        (local.set $v (v128.load offset=2 (local.get $at)))
        (v128.store
          (i32.add (local.get $out) (i32.shl (local.get $x) (i32.const 1)))
          (i16x8.add
            (i16x8.add (v128.load (local.get $at)) (v128.load offset=4 (local.get $at)))
            (i16x8.add (local.get $v) (local.get $v))))
        (local.set $x (i32.add (local.get $x) (i32.const 8)))
        (br_if $along (i32.lt_u (local.get $x) (local.get $width))))
      (local.set $out (i32.add (local.get $out) (i32.shl (local.get $width) (i32.const 1))))
      (local.set $here (i32.add (local.get $here) (local.get $width)))
      (br_if $rows (i32.lt_u (local.get $y) (local.get $height)))))

  ;; Sum of absolute differences of so many samples.
  (func (export "totalDifference") (param $a i32) (param $b i32) (param $count i32) (result i32)
    (local $end i32) (local $sum v128) (local $rest i32) (local $d i32)
    (local.set $end (i32.add (local.get $a) (i32.shl (i32.and (local.get $count) (i32.const -8)) (i32.const 1))))
    (block $done
      (loop $vectors
        (br_if $done (i32.ge_u (local.get $a) (local.get $end)))
        (local.set $sum
          (i32x4.add
            (local.get $sum)
            (i32x4.extadd_pairwise_i16x8_s
              (i16x8.abs (i16x8.sub (v128.load (local.get $a)) (v128.load (local.get $b)))))))
        (local.set $a (i32.add (local.get $a) (i32.const 16)))
        (local.set $b (i32.add (local.get $b) (i32.const 16)))
        (br $vectors)))
    (local.set $end (i32.add (local.get $a) (i32.shl (i32.and (local.get $count) (i32.const 7)) (i32.const 1))))
    (block $whole
      (loop $single
        (br_if $whole (i32.ge_u (local.get $a) (local.get $end)))
        (local.set $d (i32.sub (i32.load16_s (local.get $a)) (i32.load16_s (local.get $b))))
        (local.set $rest
          (i32.add
            (local.get $rest)
            (select (local.get $d) (i32.sub (i32.const 0) (local.get $d)) (i32.gt_s (local.get $d) (i32.const 0)))))
        (local.set $a (i32.add (local.get $a) (i32.const 2)))
        (local.set $b (i32.add (local.get $b) (i32.const 2)))
        (br $single)))
    (i32.add (call $sumOfLanes (local.get $sum)) (local.get $rest)))

  ;; Twice the gradients: differences of the samples beside, of the sample and the one beside at the border.
  (func (export "gradients")
    (param $picture i32) (param $width i32) (param $height i32) (param $gx i32) (param $gy i32)
    (local $y i32) (local $x i32) (local $stride i32) (local $up i32) (local $down i32) (local $last i32)
    (local.set $stride (i32.shl (local.get $width) (i32.const 1)))
    (local.set $last (i32.sub (local.get $stride) (i32.const 2)))
    (loop $rows
      (local.set $up
        (select (i32.sub (local.get $picture) (local.get $stride)) (local.get $picture) (local.get $y)))
      (local.set $y (i32.add (local.get $y) (i32.const 1)))
      (local.set $down
        (select
          (i32.add (local.get $picture) (local.get $stride))
          (local.get $picture)
          (i32.lt_u (local.get $y) (local.get $height))))
      (local.set $x (i32.const 0))
      (loop $across
        (v128.store
          (i32.add (local.get $gx) (local.get $x))
          (i16x8.sub
            (v128.load offset=2 (i32.add (local.get $picture) (local.get $x)))
            (v128.load (i32.sub (i32.add (local.get $picture) (local.get $x)) (i32.const 2)))))
        (v128.store
          (i32.add (local.get $gy) (local.get $x))
          (i16x8.sub
            (v128.load (i32.add (local.get $down) (local.get $x)))
            (v128.load (i32.add (local.get $up) (local.get $x)))))
        (local.set $x (i32.add (local.get $x) (i32.const 16)))
        (br_if $across (i32.lt_u (local.get $x) (local.get $stride))))
      (i32.store16
        (local.get $gx)
        (i32.sub (i32.load16_s offset=2 (local.get $picture)) (i32.load16_s (local.get $picture))))
      (i32.store16
        (i32.add (local.get $gx) (local.get $last))
        (i32.sub
          (i32.load16_s (i32.add (local.get $picture) (local.get $last)))
          (i32.load16_s (i32.sub (i32.add (local.get $picture) (local.get $last)) (i32.const 2)))))
      (local.set $picture (i32.add (local.get $picture) (local.get $stride)))
      (local.set $gx (i32.add (local.get $gx) (local.get $stride)))
      (local.set $gy (i32.add (local.get $gy) (local.get $stride)))
      (br_if $rows (i32.lt_u (local.get $y) (local.get $height)))))

  ;; Seven sums over a block (i32): gx, gy, gx², gx·gy, gy², the samples and their squares.
  (func (export "describe")
    (param $picture i32) (param $gx i32) (param $gy i32) (param $stride i32) (param $sums i32)
    (local $row i32) (local $p v128) (local $x v128) (local $y v128)
    (local $sx v128) (local $sy v128) (local $xx v128) (local $xy v128) (local $yy v128) (local $s v128) (local $pp v128)
    (loop $rows
      (local.set $p (v128.load (local.get $picture)))
      (local.set $x (v128.load (local.get $gx)))
      (local.set $y (v128.load (local.get $gy)))
      (local.set $sx (i32x4.add (local.get $sx) (i32x4.extadd_pairwise_i16x8_s (local.get $x))))
      (local.set $sy (i32x4.add (local.get $sy) (i32x4.extadd_pairwise_i16x8_s (local.get $y))))
      (local.set $xx (i32x4.add (local.get $xx) (i32x4.dot_i16x8_s (local.get $x) (local.get $x))))
      (local.set $xy (i32x4.add (local.get $xy) (i32x4.dot_i16x8_s (local.get $x) (local.get $y))))
      (local.set $yy (i32x4.add (local.get $yy) (i32x4.dot_i16x8_s (local.get $y) (local.get $y))))
      (local.set $s (i32x4.add (local.get $s) (i32x4.extadd_pairwise_i16x8_s (local.get $p))))
      (local.set $pp (i32x4.add (local.get $pp) (i32x4.dot_i16x8_s (local.get $p) (local.get $p))))
      (local.set $picture (i32.add (local.get $picture) (local.get $stride)))
      (local.set $gx (i32.add (local.get $gx) (local.get $stride)))
      (local.set $gy (i32.add (local.get $gy) (local.get $stride)))
      (local.set $row (i32.add (local.get $row) (i32.const 1)))
      (br_if $rows (i32.lt_u (local.get $row) (i32.const 8))))
    (i32.store offset=0 (local.get $sums) (call $sumOfLanes (local.get $sx)))
    (i32.store offset=4 (local.get $sums) (call $sumOfLanes (local.get $sy)))
    (i32.store offset=8 (local.get $sums) (call $sumOfLanes (local.get $xx)))
    (i32.store offset=12 (local.get $sums) (call $sumOfLanes (local.get $xy)))
    (i32.store offset=16 (local.get $sums) (call $sumOfLanes (local.get $yy)))
    (i32.store offset=20 (local.get $sums) (call $sumOfLanes (local.get $s)))
    (i32.store offset=24 (local.get $sums) (call $sumOfLanes (local.get $pp))))

  ;; Sum of absolute differences of two blocks.
  (func (export "blockDifference") (param $a i32) (param $b i32) (param $stride i32) (result i32)
    (local $row i32) (local $sum v128)
    (loop $rows
      ;; Eight times 4080 still fits.
      (local.set $sum
        (i16x8.add
          (local.get $sum)
          (i16x8.abs (i16x8.sub (v128.load (local.get $a)) (v128.load (local.get $b))))))
      (local.set $a (i32.add (local.get $a) (local.get $stride)))
      (local.set $b (i32.add (local.get $b) (local.get $stride)))
      (local.set $row (i32.add (local.get $row) (i32.const 1)))
      (br_if $rows (i32.lt_u (local.get $row) (i32.const 8))))
    (call $sumOfLanes (i32x4.extadd_pairwise_i16x8_u (local.get $sum))))

  ;; Five sums over a block (i32) of d = b − a: d, d·gx, d·gy, |d|, d².
  (func (export "compareWhole")
    (param $a i32) (param $gx i32) (param $gy i32) (param $stride i32) (param $b i32) (param $bStride i32) (param $sums i32)
    (local $row i32) (local $d v128)
    (local $sum v128) (local $sx v128) (local $sy v128) (local $absolute v128) (local $squares v128)
    (loop $rows
      (local.set $d (i16x8.sub (v128.load (local.get $b)) (v128.load (local.get $a))))
      (local.set $sum (i32x4.add (local.get $sum) (i32x4.extadd_pairwise_i16x8_s (local.get $d))))
      (local.set $sx (i32x4.add (local.get $sx) (i32x4.dot_i16x8_s (local.get $d) (v128.load (local.get $gx)))))
      (local.set $sy (i32x4.add (local.get $sy) (i32x4.dot_i16x8_s (local.get $d) (v128.load (local.get $gy)))))
      (local.set $absolute
        (i32x4.add (local.get $absolute) (i32x4.extadd_pairwise_i16x8_s (i16x8.abs (local.get $d)))))
      (local.set $squares (i32x4.add (local.get $squares) (i32x4.dot_i16x8_s (local.get $d) (local.get $d))))
      (local.set $a (i32.add (local.get $a) (local.get $stride)))
      (local.set $gx (i32.add (local.get $gx) (local.get $stride)))
      (local.set $gy (i32.add (local.get $gy) (local.get $stride)))
      (local.set $b (i32.add (local.get $b) (local.get $bStride)))
      (local.set $row (i32.add (local.get $row) (i32.const 1)))
      (br_if $rows (i32.lt_u (local.get $row) (i32.const 8))))
    (i32.store offset=0 (local.get $sums) (call $sumOfLanes (local.get $sum)))
    (i32.store offset=4 (local.get $sums) (call $sumOfLanes (local.get $sx)))
    (i32.store offset=8 (local.get $sums) (call $sumOfLanes (local.get $sy)))
    (i32.store offset=12 (local.get $sums) (call $sumOfLanes (local.get $absolute)))
    (i32.store offset=16 (local.get $sums) (call $sumOfLanes (local.get $squares))))

  ;; The same five sums (f32), b sampled between its samples, bilinear.
  (func (export "compareBetween")
    (param $a i32) (param $gx i32) (param $gy i32) (param $stride i32) (param $b i32) (param $bStride i32)
    (param $fx f32) (param $fy f32) (param $sums i32)
    (local $row i32) (local $x v128) (local $y v128) (local $v v128) (local $step v128)
    (local $upperLow v128) (local $upperHigh v128) (local $low v128) (local $high v128) (local $dl v128) (local $dh v128)
    (local $sum v128) (local $sx v128) (local $sy v128) (local $absolute v128) (local $squares v128)
    (local.set $x (f32x4.splat (local.get $fx)))
    (local.set $y (f32x4.splat (local.get $fy)))
    (local.set $v (v128.load (local.get $b)))
    (local.set $step (i16x8.sub (v128.load offset=2 (local.get $b)) (local.get $v)))
    (local.set $upperLow
      (f32x4.add
        (f32x4.convert_i32x4_s (i32x4.extend_low_i16x8_s (local.get $v)))
        (f32x4.mul (local.get $x) (f32x4.convert_i32x4_s (i32x4.extend_low_i16x8_s (local.get $step))))))
    (local.set $upperHigh
      (f32x4.add
        (f32x4.convert_i32x4_s (i32x4.extend_high_i16x8_s (local.get $v)))
        (f32x4.mul (local.get $x) (f32x4.convert_i32x4_s (i32x4.extend_high_i16x8_s (local.get $step))))))
    (loop $rows
      (local.set $b (i32.add (local.get $b) (local.get $bStride)))
      (local.set $v (v128.load (local.get $b)))
      (local.set $step (i16x8.sub (v128.load offset=2 (local.get $b)) (local.get $v)))
      (local.set $low
        (f32x4.add
          (f32x4.convert_i32x4_s (i32x4.extend_low_i16x8_s (local.get $v)))
          (f32x4.mul (local.get $x) (f32x4.convert_i32x4_s (i32x4.extend_low_i16x8_s (local.get $step))))))
      (local.set $high
        (f32x4.add
          (f32x4.convert_i32x4_s (i32x4.extend_high_i16x8_s (local.get $v)))
          (f32x4.mul (local.get $x) (f32x4.convert_i32x4_s (i32x4.extend_high_i16x8_s (local.get $step))))))
      (local.set $v (v128.load (local.get $a)))
      (local.set $dl
        (f32x4.sub
          (f32x4.add
            (local.get $upperLow)
            (f32x4.mul (local.get $y) (f32x4.sub (local.get $low) (local.get $upperLow))))
          (f32x4.convert_i32x4_s (i32x4.extend_low_i16x8_s (local.get $v)))))
      (local.set $dh
        (f32x4.sub
          (f32x4.add
            (local.get $upperHigh)
            (f32x4.mul (local.get $y) (f32x4.sub (local.get $high) (local.get $upperHigh))))
          (f32x4.convert_i32x4_s (i32x4.extend_high_i16x8_s (local.get $v)))))
      (local.set $upperLow (local.get $low))
      (local.set $upperHigh (local.get $high))
      (local.set $sum (f32x4.add (local.get $sum) (f32x4.add (local.get $dl) (local.get $dh))))
      (local.set $absolute
        (f32x4.add (local.get $absolute) (f32x4.add (f32x4.abs (local.get $dl)) (f32x4.abs (local.get $dh)))))
      (local.set $squares
        (f32x4.add
          (local.get $squares)
          (f32x4.add (f32x4.mul (local.get $dl) (local.get $dl)) (f32x4.mul (local.get $dh) (local.get $dh)))))
      (local.set $v (v128.load (local.get $gx)))
      (local.set $sx
        (f32x4.add
          (local.get $sx)
          (f32x4.add
            (f32x4.mul (local.get $dl) (f32x4.convert_i32x4_s (i32x4.extend_low_i16x8_s (local.get $v))))
            (f32x4.mul (local.get $dh) (f32x4.convert_i32x4_s (i32x4.extend_high_i16x8_s (local.get $v)))))))
      (local.set $v (v128.load (local.get $gy)))
      (local.set $sy
        (f32x4.add
          (local.get $sy)
          (f32x4.add
            (f32x4.mul (local.get $dl) (f32x4.convert_i32x4_s (i32x4.extend_low_i16x8_s (local.get $v))))
            (f32x4.mul (local.get $dh) (f32x4.convert_i32x4_s (i32x4.extend_high_i16x8_s (local.get $v)))))))
      (local.set $a (i32.add (local.get $a) (local.get $stride)))
      (local.set $gx (i32.add (local.get $gx) (local.get $stride)))
      (local.set $gy (i32.add (local.get $gy) (local.get $stride)))
      (local.set $row (i32.add (local.get $row) (i32.const 1)))
      (br_if $rows (i32.lt_u (local.get $row) (i32.const 8))))
    (f32.store offset=0 (local.get $sums) (call $sumOfFloats (local.get $sum)))
    (f32.store offset=4 (local.get $sums) (call $sumOfFloats (local.get $sx)))
    (f32.store offset=8 (local.get $sums) (call $sumOfFloats (local.get $sy)))
    (f32.store offset=12 (local.get $sums) (call $sumOfFloats (local.get $absolute)))
    (f32.store offset=16 (local.get $sums) (call $sumOfFloats (local.get $squares)))))
