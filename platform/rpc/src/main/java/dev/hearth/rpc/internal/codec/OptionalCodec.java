package dev.hearth.rpc.internal.codec;

import java.util.Optional;

/** An optional: whether there is something, then that. */
record OptionalCodec(ValueCodec content) implements ValueCodec {
    @Override
    public void write(WireOutput out, Object value) {
        Optional<?> optional = (Optional<?>) value;
        out.putByte(optional.isPresent() ? 1 : 0);
        if (optional.isPresent()) {
            out.put(content, optional.get());
        }
    }

    @Override
    public Object read(WireInput in) {
        return in.takeFlag() ? Optional.of(content.read(in)) : Optional.empty();
    }

    @Override
    public Object missing() {
        return Optional.empty();
    }
}
