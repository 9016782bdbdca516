package dev.hearth.classforms;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Function;
import java.util.function.IntBinaryOperator;
import java.util.function.IntFunction;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;

/** Program with lambdas, method references and records of many kinds, which the tests rewrite and run. */
public final class SampleProgram implements Callable<List<Object>> {
    private final List<Object> results = new ArrayList<>();
    private int count;

    /** Record with all kinds of components. */
    record Point(int x, long y, double z, float f, boolean b, byte s, char c, short h, String name, Object all) {}

    /** Record without components. */
    record Empty() {}

    /** Record with what equals must compare by value. */
    record Values(double z, float f, Object any) {}

    /** Interface with a private method that a lambda uses. */
    interface Shape {
        int sides();

        default Supplier<String> text() {
            return () -> describe() + sides();
        }

        private String describe() {
            return "sides ";
        }
    }

    /** Function that Java can write to a stream. */
    interface Kept extends Function<String, Integer>, Serializable {}

    /** Nested class whose private constructor and method are referred to. */
    private static final class Nested {
        private final String text;

        private Nested(String text) {
            this.text = text;
        }

        private String twice() {
            return text + text;
        }

        private <T extends Comparable<T>> T larger(T one, T other) {
            Comparator<T> order = Comparator.naturalOrder();
            BiFunction<T, T, T> choice = (a, b) -> order.compare(a, b) > 0 ? a : b;
            return choice.apply(one, other);
        }
    }

    @Override
    public List<Object> call() {
        references();
        primitives();
        captures();
        records();
        return results;
    }

    /** Functions of all kinds, of which the last one is serialisable. */
    public List<Object> functions() {
        Runnable own = this::grow;
        Function<String, Nested> constructor = Nested::new;
        Supplier<String> shape = ((Shape) () -> 4).text();
        Kept kept = String::length;
        return List.of(own, constructor, shape, kept);
    }

    /** A function that throws. */
    public Runnable failing() {
        return () -> {
            throw new IllegalStateException("as asked");
        };
    }

    private void grow() {
        count++;
    }

    private int grown(int by) {
        return count + by;
    }

    private void references() {
        Runnable grow = this::grow;
        grow.run();
        IntFunction<Integer> grown = this::grown;
        results.add(grown.apply(2));
        Function<String, Nested> constructor = Nested::new;
        Function<Nested, String> twice = Nested::twice;
        results.add(constructor.andThen(twice).apply("ab"));
        IntFunction<int[]> array = int[]::new;
        results.add(array.apply(3).length);
        Function<int[], Object> copy = int[]::clone;
        results.add(((int[]) copy.apply(new int[] {1, 2})).length);
        Supplier<List<String>> list = ArrayList::new;
        results.add(list.get());
        Function<Object, String> text = String::valueOf;
        results.add(text.apply(7));
        results.add(((Shape) () -> 4).text().get());
        results.add(new Nested("").larger(3, 5));
        Supplier<String> above = super::toString;
        results.add(above.get().startsWith(getClass().getName()));
        Runnable dropped = new ArrayList<>(results)::clear;
        dropped.run();
        Runnable droppedValue = new ArrayList<>(List.of("last"))::listIterator;
        droppedValue.run();
        Runnable wide = System::nanoTime;
        wide.run();
        Kept kept = String::length;
        results.add(kept.apply("abc"));
    }

    private void primitives() {
        ToLongFunction<Integer> longer = value -> value;
        results.add(longer.applyAsLong(5));
        ToLongFunction<Object> cast = Integer.class::cast;
        results.add(cast.applyAsLong(6));
        ToLongFunction<Object> castLong = Long.class::cast;
        results.add(castLong.applyAsLong(7L));
        ToDoubleFunction<Object> castToDouble = Float.class::cast;
        results.add(castToDouble.applyAsDouble(8f));
        Predicate<Object> castToBoolean = Boolean.class::cast;
        results.add(castToBoolean.test(true));
        ToDoubleFunction<Integer> asDouble = Integer::intValue;
        results.add(asDouble.applyAsDouble(5));
        LongFunction<Double> fromLong = value -> value / 2.0;
        results.add(fromLong.apply(5));
        DoubleUnaryOperator half = value -> value / 2;
        results.add(half.applyAsDouble(3));
        IntBinaryOperator most = Math::max;
        results.add(most.applyAsInt(3, 4));
        Function<Integer, Long> boxed = value -> (long) value;
        results.add(boxed.apply(3));
        Function<Character, Integer> digit = Character::getNumericValue;
        results.add(digit.apply('7'));
        BiFunction<Integer, Integer, Integer> sum = Integer::sum;
        results.add(sum.apply(1, 2));
        Predicate<Boolean> same = Boolean::booleanValue;
        results.add(same.test(true));
        ToIntFunction<Byte> small = Byte::intValue;
        results.add(small.applyAsInt((byte) 3));
        Function<Short, Double> shorts = value -> value / 4.0;
        results.add(shorts.apply((short) 3));
    }

    private void captures() {
        long l = 1L << 40;
        double d = 0.5;
        int i = 3;
        byte b = 2;
        char c = 'c';
        boolean z = true;
        float f = 1.5f;
        String s = "s";
        Function<String, String> all = t -> l + " " + d + " " + i + b + c + z + f + s + t + count;
        results.add(all.apply("t"));
        Function<Integer, Function<Integer, Integer>> nested = x -> y -> x * 10 + y + i;
        results.add(nested.apply(4).apply(2));
        Map<String, List<Integer>> lists = new LinkedHashMap<>();
        for (int k = 0; k < 4; k++) {
            lists.computeIfAbsent(k % 2 == 0 ? "even" : "odd", key -> new ArrayList<>())
                    .add(k);
        }
        results.add(lists);
        List<String> sorted = new ArrayList<>(List.of("b", "a", "c"));
        Collections.sort(sorted, (one, other) -> other.compareTo(one));
        results.add(sorted);
    }

    private void records() {
        List<Integer> all = List.of(1);
        Point point = new Point(1, 2, 3, 4, true, (byte) 5, 'c', (short) 6, "n", all);
        results.add(point.toString());
        results.add(point.hashCode());
        same(point, new Point(1, 2, 3, 4, true, (byte) 5, 'c', (short) 6, "n", all));
        same(point, new Point(1, 2, 3, 4, false, (byte) 5, 'c', (short) 6, "n", all));
        same(point, new Point(1, 2, 3, 4, true, (byte) 5, 'c', (short) 6, "n", List.of()));
        same(point, null);
        same(point, point);
        results.add(new Empty().toString() + new Empty().hashCode());
        same(new Empty(), new Empty());
        Values values = new Values(Double.NaN, 0.0f, null);
        same(values, new Values(Double.NaN, 0.0f, null));
        same(values, new Values(Double.NaN, -0.0f, null));
        same(values, "other");
        results.add(values.toString());
        results.add(values.hashCode());
    }

    private void same(Object one, Object other) {
        results.add(one.equals(other));
    }
}
