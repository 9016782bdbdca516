package dev.hearth.rpc.internal.codec;

/** A constant by its ordinal; one that is not known here reads as the first, which is why enums only grow at the end. */
final class EnumCodec implements ValueCodec {
    private final Object[] constants;

    EnumCodec(Object[] constants) {
        this.constants = constants;
    }

    @Override
    @SuppressWarnings("EnumOrdinal") // the ordinal is the written form; Protocol says how enums may grow
    public void write(WireOutput out, Object value) {
        out.putCount(((Enum<?>) value).ordinal());
    }

    @Override
    public Object read(WireInput in) {
        int ordinal = in.takeCount();
        return ordinal >= 0 && ordinal < constants.length ? constants[ordinal] : constants[0];
    }

    @Override
    public Object missing() {
        return constants[0];
    }
}
