package dev.hearth.rpc.internal.codec;

/**
 * Codec of an enum, which writes the ordinal. An unknown ordinal, from a newer sender, is read as the first constant.
 * New constants may therefore only be added at the end.
 */
final class EnumCodec implements ValueCodec {
    private final Object[] constants;

    EnumCodec(Object[] constants) {
        this.constants = constants;
    }

    @Override
    // using the ordinal is intended: it is the wire format, and Protocol states how enums may grow
    @SuppressWarnings("EnumOrdinal")
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
