package dev.hearth.rpc.internal.codec;

/**
 * Static methods that write or read one record component each, one per type, to avoid boxing.
 * {@link RecordSerializerCompiler} looks them up by name and composes them into serializers. Each method ends by
 * setting the index of the {@code next} component, which error texts name. Stateless.
 */
final class TypedComponents {
    private TypedComponents() {}

    static void writeBoolean(int next, WireOutput out, boolean value) {
        out.putByte(value ? 1 : 0);
        out.moveTo(next);
    }

    static void writeByte(int next, WireOutput out, byte value) {
        out.putByte(value);
        out.moveTo(next);
    }

    static void writeShort(int next, WireOutput out, short value) {
        out.putInt(value);
        out.moveTo(next);
    }

    static void writeInt(int next, WireOutput out, int value) {
        out.putInt(value);
        out.moveTo(next);
    }

    static void writeLong(int next, WireOutput out, long value) {
        out.putLong(value);
        out.moveTo(next);
    }

    static void writeFloat(int next, WireOutput out, float value) {
        out.putFloat(value);
        out.moveTo(next);
    }

    static void writeDouble(int next, WireOutput out, double value) {
        out.putDouble(value);
        out.moveTo(next);
    }

    static void writeChar(int next, WireOutput out, char value) {
        out.putCount(value);
        out.moveTo(next);
    }

    static void writeObject(ValueCodec codec, int next, WireOutput out, Object value) {
        out.put(codec, value);
        out.moveTo(next);
    }

    static boolean readBoolean(int next, WireInput in) {
        boolean value = !in.atEnd() && in.takeFlag();
        in.moveTo(next);
        return value;
    }

    static byte readByte(int next, WireInput in) {
        byte value = (byte) (in.atEnd() ? 0 : in.takeByte());
        in.moveTo(next);
        return value;
    }

    static short readShort(int next, WireInput in) {
        short value = in.atEnd() ? 0 : in.takeShort();
        in.moveTo(next);
        return value;
    }

    static int readInt(int next, WireInput in) {
        int value = in.atEnd() ? 0 : in.takeInt();
        in.moveTo(next);
        return value;
    }

    static long readLong(int next, WireInput in) {
        long value = in.atEnd() ? 0 : in.takeLong();
        in.moveTo(next);
        return value;
    }

    static float readFloat(int next, WireInput in) {
        float value = in.atEnd() ? 0 : in.takeFloat();
        in.moveTo(next);
        return value;
    }

    static double readDouble(int next, WireInput in) {
        double value = in.atEnd() ? 0 : in.takeDouble();
        in.moveTo(next);
        return value;
    }

    static char readChar(int next, WireInput in) {
        char value = in.atEnd() ? 0 : in.takeChar();
        in.moveTo(next);
        return value;
    }

    static Object readObject(ValueCodec codec, int next, WireInput in) {
        Object value = in.atEnd() ? codec.defaultValue() : codec.read(in);
        in.moveTo(next);
        return value;
    }
}
