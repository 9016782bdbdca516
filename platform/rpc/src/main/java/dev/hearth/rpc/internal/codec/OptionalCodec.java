package dev.hearth.rpc.internal.codec;

import java.util.Optional;

/** Codec of an Optional: a flag, then the value if present. */
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
    public Object defaultValue() {
        return Optional.empty();
    }
}
