package dev.hearth.rpc.internal.codec;

/**
 * Codec of an enum: the ordinal on the wire. An ordinal that this process does not know reads as the first constant, so
 * new constants may only be added at the end.
 */
final class EnumCodec implements ValueCodec {
    private final Object[] constants;

    EnumCodec(Object[] constants) {
        this.constants = constants;
    }

    @Override
    @SuppressWarnings("EnumOrdinal") // the ordinal is the wire format; Protocol states how enums may grow
    public void write(WireOutput out, Object value) {
        out.putCount(((Enum<?>) value).ordinal());
    }

    @Override
    public Object read(WireInput in) {
        int ordinal = in.takeCount();
        return ordinal >= 0 && ordinal < constants.length ? constants[ordinal] : constants[0];
    }

    @Override
    public Object defaultValue() {
        return constants[0];
    }
}
