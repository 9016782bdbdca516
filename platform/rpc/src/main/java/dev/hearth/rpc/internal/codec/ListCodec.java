package dev.hearth.rpc.internal.codec;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** Codec of a list, which writes its size, then its elements. Decodes to an unmodifiable list. */
record ListCodec(ValueCodec element) implements ValueCodec {
    private static final int VALUES_PER_ELEMENT = 1;

    @Override
    public void write(WireOutput out, Object value) {
        List<?> list = (List<?>) value;
        out.putElements(list.size());
        for (Object each : list) {
            out.put(element, each);
        }
    }

    @Override
    public Object read(WireInput in) {
        int size = in.takeElements(VALUES_PER_ELEMENT);
        return switch (size) {
            case 0 -> List.of();
            case 1 -> List.of(next(in));
            default -> several(in, size);
        };
    }

    @Override
    public Object defaultValue() {
        return List.of();
    }

    private Object several(WireInput in, int size) {
        Object[] elements = new Object[size];
        for (int i = 0; i < size; i++) {
            elements[i] = next(in);
        }
        return Collections.unmodifiableList(Arrays.asList(elements)); // no copy of the array, unlike List.of
    }

    private Object next(WireInput in) {
        in.beginValue();
        return element.read(in);
    }
}
