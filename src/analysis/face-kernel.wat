;; Layers of the network that finds faces. `face-network.ts` says what lies where.
;; `face-kernel.wasm` is this file assembled by wabt; a test compares them. Pictures of features are rows of pixels of channels, 32-bit floats,
;; channels a multiple of four (sixteen where a layer is made); all else that is not a count or a slope is an address.
(module
  (memory (export "memory") 1)

  ;; 3×3 over a picture of bytes, without its border, to sixteen channels; then the greatest of each 2×2, and the slope below zero.
  ;; Weights: nine taps of sixteen channels, then the bias. Width and height are even; `stride`: bytes between rows of the result.
  (func (export "first")
    (param $grey i32) (param $width i32) (param $height i32) (param $weights i32) (param $slope f32) (param $out i32) (param $stride i32)
    (local $y i32) (local $x i32) (local $part i32) (local $end i32) (local $from i32) (local $to i32) (local $w i32)
    (local $v v128) (local $steep v128)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local $ma v128) (local $mb v128) (local $mc v128) (local $md v128)
    (local.set $steep (f32x4.splat (local.get $slope)))
    (loop $rows
      (local.set $to (local.get $out))
      (local.set $x (i32.const 0))
      (loop $across
        (local.set $part (i32.const 0))
        (loop $parts
          (local.set $a (v128.load offset=576 (local.get $weights)))
          (local.set $b (v128.load offset=592 (local.get $weights)))
          (local.set $c (v128.load offset=608 (local.get $weights)))
          (local.set $d (v128.load offset=624 (local.get $weights)))
          (local.set $from
            (i32.add
              (i32.add (local.get $grey) (local.get $x))
              (i32.add
                (i32.and (local.get $part) (i32.const 1))
                (i32.mul
                  (i32.add (local.get $y) (i32.shr_u (local.get $part) (i32.const 1)))
                  (local.get $width)))))
          (local.set $w (local.get $weights))
          (local.set $end (i32.add (local.get $w) (i32.const 576)))
          (loop $taps
            (local.set $v (f32x4.splat (f32.convert_i32_u (i32.load8_u offset=0 (local.get $from)))))
            (local.set $a (f32x4.add (local.get $a) (f32x4.mul (local.get $v) (v128.load (local.get $w)))))
            (local.set $b (f32x4.add (local.get $b) (f32x4.mul (local.get $v) (v128.load offset=16 (local.get $w)))))
            (local.set $c (f32x4.add (local.get $c) (f32x4.mul (local.get $v) (v128.load offset=32 (local.get $w)))))
            (local.set $d (f32x4.add (local.get $d) (f32x4.mul (local.get $v) (v128.load offset=48 (local.get $w)))))
            (local.set $v (f32x4.splat (f32.convert_i32_u (i32.load8_u offset=1 (local.get $from)))))
            (local.set $a (f32x4.add (local.get $a) (f32x4.mul (local.get $v) (v128.load offset=64 (local.get $w)))))
            (local.set $b (f32x4.add (local.get $b) (f32x4.mul (local.get $v) (v128.load offset=80 (local.get $w)))))
            (local.set $c (f32x4.add (local.get $c) (f32x4.mul (local.get $v) (v128.load offset=96 (local.get $w)))))
            (local.set $d (f32x4.add (local.get $d) (f32x4.mul (local.get $v) (v128.load offset=112 (local.get $w)))))
            (local.set $v (f32x4.splat (f32.convert_i32_u (i32.load8_u offset=2 (local.get $from)))))
            (local.set $a (f32x4.add (local.get $a) (f32x4.mul (local.get $v) (v128.load offset=128 (local.get $w)))))
            (local.set $b (f32x4.add (local.get $b) (f32x4.mul (local.get $v) (v128.load offset=144 (local.get $w)))))
            (local.set $c (f32x4.add (local.get $c) (f32x4.mul (local.get $v) (v128.load offset=160 (local.get $w)))))
            (local.set $d (f32x4.add (local.get $d) (f32x4.mul (local.get $v) (v128.load offset=176 (local.get $w)))))
            (local.set $from (i32.add (local.get $from) (local.get $width)))
            (local.set $w (i32.add (local.get $w) (i32.const 192)))
            (br_if $taps (i32.lt_u (local.get $w) (local.get $end))))
          (if (i32.eqz (local.get $part))
            (then
              (local.set $ma (local.get $a))
              (local.set $mb (local.get $b))
              (local.set $mc (local.get $c))
              (local.set $md (local.get $d)))
            (else
              (local.set $ma (f32x4.max (local.get $ma) (local.get $a)))
              (local.set $mb (f32x4.max (local.get $mb) (local.get $b)))
              (local.set $mc (f32x4.max (local.get $mc) (local.get $c)))
              (local.set $md (f32x4.max (local.get $md) (local.get $d)))))
          (local.set $part (i32.add (local.get $part) (i32.const 1)))
          (br_if $parts (i32.lt_u (local.get $part) (i32.const 4))))
        (v128.store (local.get $to) (f32x4.max (local.get $ma) (f32x4.mul (local.get $ma) (local.get $steep))))
        (v128.store offset=16 (local.get $to) (f32x4.max (local.get $mb) (f32x4.mul (local.get $mb) (local.get $steep))))
        (v128.store offset=32 (local.get $to) (f32x4.max (local.get $mc) (f32x4.mul (local.get $mc) (local.get $steep))))
        (v128.store offset=48 (local.get $to) (f32x4.max (local.get $md) (f32x4.mul (local.get $md) (local.get $steep))))
        (local.set $to (i32.add (local.get $to) (i32.const 64)))
        (local.set $x (i32.add (local.get $x) (i32.const 2)))
        (br_if $across (i32.lt_u (local.get $x) (i32.sub (local.get $width) (i32.const 2)))))
      (local.set $out (i32.add (local.get $out) (local.get $stride)))
      (local.set $y (i32.add (local.get $y) (i32.const 2)))
      (br_if $rows (i32.lt_u (local.get $y) (i32.sub (local.get $height) (i32.const 2))))))

  ;; 3×3 of each channel by itself, over a picture with a border of one pixel that the result lacks. Weights: nine taps of all channels.
  (func (export "depthwise")
    (param $from i32) (param $width i32) (param $height i32) (param $channels i32) (param $weights i32) (param $out i32)
    (local $y i32) (local $x i32) (local $pixel i32) (local $stride i32) (local $end i32) (local $w i32)
    (local $r0 i32) (local $r1 i32) (local $r2 i32) (local $two i32) (local $w3 i32) (local $w6 i32)
    (local.set $pixel (i32.shl (local.get $channels) (i32.const 2)))
    (local.set $two (i32.shl (local.get $pixel) (i32.const 1)))
    (local.set $w3 (i32.mul (local.get $pixel) (i32.const 3)))
    (local.set $w6 (i32.mul (local.get $pixel) (i32.const 6)))
    (local.set $stride (i32.mul (local.get $pixel) (i32.add (local.get $width) (i32.const 2))))
    (loop $rows
      (local.set $r0 (local.get $from))
      (local.set $x (i32.const 0))
      (loop $across
        (local.set $r1 (i32.add (local.get $r0) (local.get $stride)))
        (local.set $r2 (i32.add (local.get $r1) (local.get $stride)))
        (local.set $w (local.get $weights))
        (local.set $end (i32.add (local.get $r0) (local.get $pixel)))
        (loop $deep
          (v128.store (local.get $out)
            (f32x4.add
              (f32x4.add
                (f32x4.add
                  (f32x4.mul (v128.load (local.get $r0)) (v128.load (local.get $w)))
                  (f32x4.mul
                    (v128.load (i32.add (local.get $r0) (local.get $pixel)))
                    (v128.load (i32.add (local.get $w) (local.get $pixel)))))
                (f32x4.add
                  (f32x4.mul
                    (v128.load (i32.add (local.get $r0) (local.get $two)))
                    (v128.load (i32.add (local.get $w) (local.get $two))))
                  (f32x4.mul
                    (v128.load (local.get $r1))
                    (v128.load (i32.add (local.get $w) (local.get $w3))))))
              (f32x4.add
                (f32x4.add
                  (f32x4.mul
                    (v128.load (i32.add (local.get $r1) (local.get $pixel)))
                    (v128.load (i32.add (i32.add (local.get $w) (local.get $w3)) (local.get $pixel))))
                  (f32x4.mul
                    (v128.load (i32.add (local.get $r1) (local.get $two)))
                    (v128.load (i32.add (i32.add (local.get $w) (local.get $w3)) (local.get $two)))))
                (f32x4.add
                  (f32x4.mul
                    (v128.load (local.get $r2))
                    (v128.load (i32.add (local.get $w) (local.get $w6))))
                  (f32x4.add
                    (f32x4.mul
                      (v128.load (i32.add (local.get $r2) (local.get $pixel)))
                      (v128.load (i32.add (i32.add (local.get $w) (local.get $w6)) (local.get $pixel))))
                    (f32x4.mul
                      (v128.load (i32.add (local.get $r2) (local.get $two)))
                      (v128.load (i32.add (i32.add (local.get $w) (local.get $w6)) (local.get $two)))))))))
          (local.set $out (i32.add (local.get $out) (i32.const 16)))
          (local.set $w (i32.add (local.get $w) (i32.const 16)))
          (local.set $r1 (i32.add (local.get $r1) (i32.const 16)))
          (local.set $r2 (i32.add (local.get $r2) (i32.const 16)))
          (local.set $r0 (i32.add (local.get $r0) (i32.const 16)))
          (br_if $deep (i32.lt_u (local.get $r0) (local.get $end))))
        (local.set $x (i32.add (local.get $x) (i32.const 1)))
        (br_if $across (i32.lt_u (local.get $x) (local.get $width))))
      (local.set $from (i32.add (local.get $from) (local.get $stride)))
      (local.set $y (i32.add (local.get $y) (i32.const 1)))
      (br_if $rows (i32.lt_u (local.get $y) (local.get $height)))))

  ;; Channels mixed pixel by pixel, two pixels at a time, and the slope below zero. Weights: for each sixteen of the results, the bias, then
  ;; sixteen for each channel that comes in. At least two pixels.
  (func (export "pointwise")
    (param $from i32) (param $pixels i32) (param $ins i32) (param $outs i32) (param $weights i32) (param $slope f32) (param $out i32)
    (local $at i32) (local $one i32) (local $other i32) (local $end i32) (local $w i32) (local $to i32) (local $done i32)
    (local $u v128) (local $v v128) (local $p v128) (local $steep v128)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local $e v128) (local $f v128) (local $g v128) (local $h v128)
    (local.set $steep (f32x4.splat (local.get $slope)))
    (local.set $ins (i32.shl (local.get $ins) (i32.const 2)))
    (local.set $outs (i32.shl (local.get $outs) (i32.const 2)))
    (loop $pairs
      ;; An odd number of pixels has one of them made twice.
      (local.set $at
        (select
          (local.get $at)
          (i32.sub (local.get $pixels) (i32.const 2))
          (i32.le_u (local.get $at) (i32.sub (local.get $pixels) (i32.const 2)))))
      (local.set $w (local.get $weights))
      (local.set $to (i32.add (local.get $out) (i32.mul (local.get $at) (local.get $outs))))
      (local.set $done (i32.const 0))
      (loop $blocks
        (local.set $one (i32.add (local.get $from) (i32.mul (local.get $at) (local.get $ins))))
        (local.set $end (i32.add (local.get $one) (local.get $ins)))
        (local.set $other (local.get $end))
        (local.set $a (v128.load (local.get $w)))
        (local.set $b (v128.load offset=16 (local.get $w)))
        (local.set $c (v128.load offset=32 (local.get $w)))
        (local.set $d (v128.load offset=48 (local.get $w)))
        (local.set $e (local.get $a))
        (local.set $f (local.get $b))
        (local.set $g (local.get $c))
        (local.set $h (local.get $d))
        (loop $deep
          (local.set $w (i32.add (local.get $w) (i32.const 64)))
          (local.set $u (v128.load32_splat (local.get $one)))
          (local.set $v (v128.load32_splat (local.get $other)))
          (local.set $p (v128.load (local.get $w)))
          (local.set $a (f32x4.add (local.get $a) (f32x4.mul (local.get $u) (local.get $p))))
          (local.set $e (f32x4.add (local.get $e) (f32x4.mul (local.get $v) (local.get $p))))
          (local.set $p (v128.load offset=16 (local.get $w)))
          (local.set $b (f32x4.add (local.get $b) (f32x4.mul (local.get $u) (local.get $p))))
          (local.set $f (f32x4.add (local.get $f) (f32x4.mul (local.get $v) (local.get $p))))
          (local.set $p (v128.load offset=32 (local.get $w)))
          (local.set $c (f32x4.add (local.get $c) (f32x4.mul (local.get $u) (local.get $p))))
          (local.set $g (f32x4.add (local.get $g) (f32x4.mul (local.get $v) (local.get $p))))
          (local.set $p (v128.load offset=48 (local.get $w)))
          (local.set $d (f32x4.add (local.get $d) (f32x4.mul (local.get $u) (local.get $p))))
          (local.set $h (f32x4.add (local.get $h) (f32x4.mul (local.get $v) (local.get $p))))
          (local.set $other (i32.add (local.get $other) (i32.const 4)))
          (local.set $one (i32.add (local.get $one) (i32.const 4)))
          (br_if $deep (i32.lt_u (local.get $one) (local.get $end))))
        (local.set $w (i32.add (local.get $w) (i32.const 64)))
        (v128.store (local.get $to) (f32x4.max (local.get $a) (f32x4.mul (local.get $a) (local.get $steep))))
        (v128.store offset=16 (local.get $to) (f32x4.max (local.get $b) (f32x4.mul (local.get $b) (local.get $steep))))
        (v128.store offset=32 (local.get $to) (f32x4.max (local.get $c) (f32x4.mul (local.get $c) (local.get $steep))))
        (v128.store offset=48 (local.get $to) (f32x4.max (local.get $d) (f32x4.mul (local.get $d) (local.get $steep))))
        (local.set $to (i32.add (local.get $to) (local.get $outs)))
        (v128.store (local.get $to) (f32x4.max (local.get $e) (f32x4.mul (local.get $e) (local.get $steep))))
        (v128.store offset=16 (local.get $to) (f32x4.max (local.get $f) (f32x4.mul (local.get $f) (local.get $steep))))
        (v128.store offset=32 (local.get $to) (f32x4.max (local.get $g) (f32x4.mul (local.get $g) (local.get $steep))))
        (v128.store offset=48 (local.get $to) (f32x4.max (local.get $h) (f32x4.mul (local.get $h) (local.get $steep))))
        (local.set $to (i32.add (i32.sub (local.get $to) (local.get $outs)) (i32.const 64)))
        (local.set $done (i32.add (local.get $done) (i32.const 64)))
        (br_if $blocks (i32.lt_u (local.get $done) (local.get $outs))))
      (local.set $at (i32.add (local.get $at) (i32.const 2)))
      (br_if $pairs (i32.lt_u (local.get $at) (local.get $pixels)))))

  ;; The greatest of each 2×2, `step` pixels apart; beyond the picture nothing counts. `stride`: bytes between rows of the result.
  (func (export "pool")
    (param $from i32) (param $width i32) (param $height i32) (param $channels i32) (param $step i32) (param $out i32) (param $stride i32)
    (local $y i32) (local $x i32) (local $pixel i32) (local $row i32) (local $to i32) (local $down i32) (local $right i32)
    (local $here i32) (local $end i32)
    (local.set $pixel (i32.shl (local.get $channels) (i32.const 2)))
    (local.set $row (i32.mul (local.get $pixel) (local.get $width)))
    (loop $rows
      (local.set $to (local.get $out))
      (local.set $down
        (select
          (local.get $row)
          (i32.const 0)
          (i32.lt_u (i32.add (local.get $y) (i32.const 1)) (local.get $height))))
      (local.set $x (i32.const 0))
      (loop $across
        (local.set $right
          (select
            (local.get $pixel)
            (i32.const 0)
            (i32.lt_u (i32.add (local.get $x) (i32.const 1)) (local.get $width))))
        (local.set $here
          (i32.add
            (local.get $from)
            (i32.add
              (i32.mul (local.get $y) (local.get $row))
              (i32.mul (local.get $x) (local.get $pixel)))))
        (local.set $end (i32.add (local.get $here) (local.get $pixel)))
        (loop $deep
          (v128.store (local.get $to)
            (f32x4.max
              (f32x4.max
                (v128.load (local.get $here))
                (v128.load (i32.add (local.get $here) (local.get $right))))
              (f32x4.max
                (v128.load (i32.add (local.get $here) (local.get $down)))
                (v128.load (i32.add (i32.add (local.get $here) (local.get $down)) (local.get $right))))))
          (local.set $to (i32.add (local.get $to) (i32.const 16)))
          (local.set $here (i32.add (local.get $here) (i32.const 16)))
          (br_if $deep (i32.lt_u (local.get $here) (local.get $end))))
        (local.set $x (i32.add (local.get $x) (local.get $step)))
        (br_if $across (i32.lt_u (local.get $x) (local.get $width))))
      (local.set $out (i32.add (local.get $out) (local.get $stride)))
      (local.set $y (i32.add (local.get $y) (local.get $step)))
      (br_if $rows (i32.lt_u (local.get $y) (local.get $height))))))
