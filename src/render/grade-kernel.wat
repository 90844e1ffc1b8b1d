;; Looks up every pixel of a 4:2:0 picture in two tables, in place. `grade-kernel.ts` fills the tables and says what they hold.
;; `grade-kernel.wasm` is this file assembled by wabt; a test compares them.
(module
  (memory (export "memory") 1)
  (func (export "grade")
    ;; Tables: luma by (U, V) cell of 4×4 and luma; pairs of chroma bytes by luma step of 4, U and V.
    (param $luma i32) (param $chroma i32)
    ;; Planes, their strides, and the size of the luma plane: both even.
    (param $y i32) (param $u i32) (param $v i32)
    (param $lumaStride i32) (param $chromaStride i32)
    (param $width i32) (param $height i32)
    (local $row i32) (local $upper i32) (local $lower i32) (local $end i32)
    (local $blue i32) (local $red i32) (local $two i32) (local $four i32) (local $cell i32) (local $sum i32)
    (loop $rows
      (local.set $upper (i32.add (local.get $y) (i32.mul (local.get $row) (local.get $lumaStride))))
      (local.set $lower (i32.add (local.get $upper) (local.get $lumaStride)))
      (local.set $end (i32.add (local.get $upper) (local.get $width)))
      (loop $squares
        (local.set $blue (i32.load8_u (local.get $u)))
        (local.set $red (i32.load8_u (local.get $v)))
        (local.set $two (i32.load16_u (local.get $upper)))
        (local.set $four (i32.load16_u (local.get $lower)))
        ;; The nearest cell: ((U + 2) >> 2) << 15 | ((V + 2) >> 2) << 8
        (local.set $cell
          (i32.add
            (local.get $luma)
            (i32.or
              (i32.shl (i32.and (i32.add (local.get $blue) (i32.const 2)) (i32.const 0x1fc)) (i32.const 13))
              (i32.shl (i32.and (i32.add (local.get $red) (i32.const 2)) (i32.const 0x1fc)) (i32.const 6)))))
        (i32.store16
          (local.get $upper)
          (i32.or
            (i32.load8_u (i32.add (local.get $cell) (i32.and (local.get $two) (i32.const 255))))
            (i32.shl
              (i32.load8_u (i32.add (local.get $cell) (i32.shr_u (local.get $two) (i32.const 8))))
              (i32.const 8))))
        (i32.store16
          (local.get $lower)
          (i32.or
            (i32.load8_u (i32.add (local.get $cell) (i32.and (local.get $four) (i32.const 255))))
            (i32.shl
              (i32.load8_u (i32.add (local.get $cell) (i32.shr_u (local.get $four) (i32.const 8))))
              (i32.const 8))))
        ;; The square's mean luma: its two bytes of each row, added up.
        (local.set $sum
          (i32.add
            (i32.add (i32.and (local.get $two) (i32.const 255)) (i32.shr_u (local.get $two) (i32.const 8)))
            (i32.add (i32.and (local.get $four) (i32.const 255)) (i32.shr_u (local.get $four) (i32.const 8)))))
        ;; (mean >> 2) << 17 | U << 9 | V << 1
        (local.set $sum
          (i32.load16_u
            (i32.add
              (local.get $chroma)
              (i32.or
                (i32.shl (i32.shr_u (local.get $sum) (i32.const 4)) (i32.const 17))
                (i32.or (i32.shl (local.get $blue) (i32.const 9)) (i32.shl (local.get $red) (i32.const 1)))))))
        (i32.store8 (local.get $u) (local.get $sum))
        (i32.store8 (local.get $v) (i32.shr_u (local.get $sum) (i32.const 8)))
        (local.set $u (i32.add (local.get $u) (i32.const 1)))
        (local.set $v (i32.add (local.get $v) (i32.const 1)))
        (local.set $lower (i32.add (local.get $lower) (i32.const 2)))
        (local.set $upper (i32.add (local.get $upper) (i32.const 2)))
        (br_if $squares (i32.lt_u (local.get $upper) (local.get $end))))
      ;; From the end of one chroma row to the start of the next.
      (local.set $u (i32.add (local.get $u) (i32.sub (local.get $chromaStride) (i32.shr_u (local.get $width) (i32.const 1)))))
      (local.set $v (i32.add (local.get $v) (i32.sub (local.get $chromaStride) (i32.shr_u (local.get $width) (i32.const 1)))))
      (local.set $row (i32.add (local.get $row) (i32.const 2)))
      (br_if $rows (i32.lt_u (local.get $row) (local.get $height))))))
