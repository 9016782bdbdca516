package dev.hearth.rpc.internal.codec;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Codec of a map: its size, then keys and values in iteration order. Decodes to an unmodifiable map of the same order.
 * Several unknown enum constants may decode to the same key, in which case the last entry wins.
 */
record MapCodec(ValueCodec key, ValueCodec value) implements ValueCodec {
    private static final int VALUES_PER_ENTRY = 2;
    private static final int FIRST_SLOTS = 4;

    @Override
    public void write(WireOutput out, Object map) {
        Map<?, ?> entries = (Map<?, ?>) map;
        out.putElements(entries.size());
        for (Map.Entry<?, ?> each : entries.entrySet()) {
            out.put(key, each.getKey());
            out.put(value, each.getValue());
        }
    }

    @Override
    public Object read(WireInput in) {
        int size = in.takeElements(VALUES_PER_ENTRY);
        return switch (size) {
            case 0 -> Map.of();
            case 1 -> Map.of(next(key, in), next(value, in));
            default -> several(in, size);
        };
    }

    @Override
    public Object defaultValue() {
        return Map.of();
    }

    private Object several(WireInput in, int size) {
        Map<Object, Object> entries =
                // start with a small capacity: entries with equal keys may make the map much smaller than its declared
                // size
                new LinkedHashMap<>(FIRST_SLOTS);
        for (int i = 0; i < size; i++) {
            Object eachKey = next(key, in);
            entries.put(eachKey, next(value, in));
        }
        return Collections.unmodifiableMap(entries);
    }

    private static Object next(ValueCodec codec, WireInput in) {
        in.beginValue();
        return codec.read(in);
    }
}
