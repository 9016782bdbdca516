package dev.hearth.engine.internal.serializer;

/** Numbers of the JVM instructions that generated codecs use. */
final class Opcodes {
    static final int ACONST_NULL = 0x01;
    static final int ICONST_1 = 0x04;
    static final int LDC_W = 0x13;
    static final int LDC2_W = 0x14;
    static final int ILOAD = 0x15;
    static final int LLOAD = 0x16;
    static final int FLOAD = 0x17;
    static final int DLOAD = 0x18;
    static final int ALOAD = 0x19;
    static final int ISTORE = 0x36;
    static final int LSTORE = 0x37;
    static final int FSTORE = 0x38;
    static final int DSTORE = 0x39;
    static final int ASTORE = 0x3A;
    static final int DUP = 0x59;
    static final int IADD = 0x60;
    static final int LADD = 0x61;
    static final int IAND = 0x7E;
    static final int I2L = 0x85;
    static final int IRETURN = 0xAC;
    static final int LRETURN = 0xAD;
    static final int ARETURN = 0xB0;
    static final int RETURN = 0xB1;
    static final int GETSTATIC = 0xB2;
    static final int PUTSTATIC = 0xB3;
    static final int GETFIELD = 0xB4;
    static final int PUTFIELD = 0xB5;
    static final int INVOKEVIRTUAL = 0xB6;
    static final int INVOKESPECIAL = 0xB7;
    static final int INVOKESTATIC = 0xB8;
    static final int INVOKEINTERFACE = 0xB9;
    static final int NEW = 0xBB;
    static final int CHECKCAST = 0xC0;

    private Opcodes() {}
}
