package dev.hearth.engine.internal.aggregate;

import dev.hearth.api.Pair;
import dev.hearth.engine.internal.column.ColumnBuilder;
import dev.hearth.engine.internal.shuffle.PairConsumer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Random pairs, sent one by one, in columns, or alternately. */
final class Pairs {
    private Pairs() {}

    /** Kinds of keys and values. */
    enum Kind {
        INTEGERS,
        LONGS,
        DOUBLES,
        STRINGS,
        LISTS,
        NULLS,
        LATE_OTHER_TYPE,
        MIXED,
        COLLIDING;

        @Nullable
        Object value(Random random, int bound) {
            int number = random.nextInt(bound) - bound / 3;
            return switch (this) {
                case INTEGERS -> number;
                case LONGS -> ((long) number << 32) + number % 5;
                case DOUBLES -> number / 4.0;
                case STRINGS -> "key " + number;
                case LISTS -> new ArrayList<>(List.of(number, "x"));
                case NULLS -> number % 4 == 0 ? null : (Object) number;
                case LATE_OTHER_TYPE -> number == 0 ? "other type" : (Object) number;
                case MIXED ->
                    switch (Math.floorMod(number, 4)) {
                        case 0 -> number;
                        case 1 -> (long) number;
                        case 2 -> null;
                        default -> String.valueOf(number);
                    };
                case COLLIDING -> new Colliding(number);
            };
        }
    }

    /** A key with one of three hash codes. */
    record Colliding(int number) implements java.io.Serializable {
        @Override
        public int hashCode() {
            return number % 3;
        }
    }

    static List<Pair<@Nullable Object, @Nullable Object>> of(
            Kind keys, Kind values, int count, int bound, Random random) {
        List<Pair<@Nullable Object, @Nullable Object>> pairs = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            pairs.add(new Pair<>(keys.value(random, bound), values.value(random, 1000)));
        }
        return pairs;
    }

    static void send(List<Pair<@Nullable Object, @Nullable Object>> pairs, PairConsumer receiver, Random random) {
        int at = 0;
        while (at < pairs.size()) {
            int until = Math.min(pairs.size(), at + 1 + random.nextInt(500));
            if (random.nextBoolean()) {
                ColumnBuilder keys = new ColumnBuilder();
                ColumnBuilder values = new ColumnBuilder();
                pairs.subList(at, until).forEach(pair -> {
                    keys.add(pair.key());
                    values.add(pair.value());
                });
                receiver.columns(keys.build(), values.build());
            } else {
                pairs.subList(at, until).forEach(pair -> receiver.pair(pair.key(), pair.value()));
            }
            at = until;
        }
    }
}
