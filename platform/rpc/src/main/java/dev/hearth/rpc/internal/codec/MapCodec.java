package dev.hearth.rpc.internal.codec;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A map: its size, then keys and values in its order. Reads as a map of that order that does not change; of equal keys,
 * which constants of an enum not known here become, the last stays.
 */
final class MapCodec implements ValueCodec {
    private final ValueCodec key;
    private final ValueCodec value;

    MapCodec(ValueCodec key, ValueCodec value) {
        this.key = key;
        this.value = value;
    }

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
        int size = in.takeElements();
        Map<Object, Object> entries = new LinkedHashMap<>();
        for (int i = 0; i < size; i++) {
            Object eachKey = key.read(in);
            entries.put(eachKey, value.read(in));
        }
        return Collections.unmodifiableMap(entries);
    }

    @Override
    public Object missing() {
        return Map.of();
    }
}
