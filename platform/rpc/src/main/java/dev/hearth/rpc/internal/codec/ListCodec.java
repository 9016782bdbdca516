package dev.hearth.rpc.internal.codec;

import java.util.List;

/** A list: its size, then its elements. Reads as a list that does not change. */
final class ListCodec implements ValueCodec {
    private final ValueCodec element;

    ListCodec(ValueCodec element) {
        this.element = element;
    }

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
        Object[] elements = new Object[in.takeElements()];
        for (int i = 0; i < elements.length; i++) {
            elements[i] = element.read(in);
        }
        return List.of(elements);
    }

    @Override
    public Object missing() {
        return List.of();
    }
}
