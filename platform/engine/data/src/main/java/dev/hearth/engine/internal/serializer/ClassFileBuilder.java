package dev.hearth.engine.internal.serializer;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Builds a JVM class file in the version of Java 17. Supports constants, fields, and methods without branches, because
 * branches would require stack maps. An instance builds one class.
 */
final class ClassFileBuilder {
    static final int PUBLIC = 0x1;
    static final int STATIC = 0x8;
    private static final int FINAL = 0x10;
    private static final int SUPER = 0x20;
    private static final int SYNTHETIC = 0x1000;
    private static final int MAGIC = 0xCAFEBABE;
    private static final int VERSION = 61;
    private static final int STACK = 12; // operand stack slots, besides those for the arguments of a constructor
    private static final int CODE_BYTES_MAX = 65_535;
    private static final int CONSTANTS_MAX = 65_535;

    private final String name;
    private final ByteSink constants = new ByteSink();
    private final Map<List<Object>, Integer> indexes = new HashMap<>();
    private int nextConstant = 1;
    private final ByteSink fields = new ByteSink();
    private int fieldCount;
    private final ByteSink methods = new ByteSink();
    private int methodCount;

    /** Starts a class; {@code name} is its internal name, with slashes instead of dots. */
    ClassFileBuilder(String name) {
        this.name = name;
    }

    /**
     * Part of a class file, to which big-endian numbers are appended in memory. That cannot fail, so callers need not
     * handle an IOException.
     */
    private static final class ByteSink {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final DataOutputStream out = new DataOutputStream(bytes);

        @FunctionalInterface
        private interface Write {
            void to(DataOutputStream out) throws IOException;
        }

        void add(Write write) {
            try {
                write.to(out);
            } catch (IOException impossible) { // only a string over 64 KiB fails, and no name in a class is that long
                throw new UncheckedIOException(impossible);
            }
        }

        void u1(int value) {
            add(to -> to.writeByte(value));
        }

        void u2(int value) {
            add(to -> to.writeShort(value));
        }

        void u4(int value) {
            add(to -> to.writeInt(value));
        }

        void all(ByteSink other) {
            add(other.bytes::writeTo);
        }

        int size() {
            return bytes.size();
        }
    }

    private int constant(int slots, List<Object> key, ByteSink.Write write) {
        Integer known = indexes.get(key);
        if (known != null) {
            return known;
        }
        int index = nextConstant;
        nextConstant += slots;
        if (nextConstant > CONSTANTS_MAX) {
            throw new IllegalStateException("class " + name + ": too many constants (expected: " + CONSTANTS_MAX + ")");
        }
        constants.add(write);
        indexes.put(key, index);
        return index;
    }

    private int utf8(String text) {
        return constant(1, List.of(1, text), to -> {
            to.writeByte(1);
            to.writeUTF(text);
        });
    }

    private int named(int kind, String text) {
        int index = utf8(text);
        return constant(1, List.of(kind, index), to -> {
            to.writeByte(kind);
            to.writeShort(index);
        });
    }

    private int pair(int kind, int first, int second) {
        return constant(1, List.of(kind, first, second), to -> {
            to.writeByte(kind);
            to.writeShort(first);
            to.writeShort(second);
        });
    }

    /**
     * Returns the index of the constant that stands for a class. {@code internalName} is the internal name of the
     * class, or the descriptor of an array class.
     */
    int type(String internalName) {
        return named(7, internalName);
    }

    int text(String value) {
        return named(8, value);
    }

    int integer(int value) {
        return constant(1, List.of(3, value), to -> {
            to.writeByte(3);
            to.writeInt(value);
        });
    }

    int wide(long value) {
        return constant(2, List.of(5, value), to -> {
            to.writeByte(5);
            to.writeLong(value);
        });
    }

    int field(String owner, String member, String descriptor) {
        return pair(9, type(owner), pair(12, utf8(member), utf8(descriptor)));
    }

    int method(String owner, String member, String descriptor) {
        return pair(10, type(owner), pair(12, utf8(member), utf8(descriptor)));
    }

    int interfaceMethod(String owner, String member, String descriptor) {
        return pair(11, type(owner), pair(12, utf8(member), utf8(descriptor)));
    }

    String name() {
        return name;
    }

    void addStaticField(String member, String descriptor) {
        fields.u2(STATIC | FINAL);
        fields.u2(utf8(member));
        fields.u2(utf8(descriptor));
        fields.u2(0);
        fieldCount++;
    }

    /** Code of one method, appended instruction by instruction. Supports only the instructions that a codec needs. */
    final class Body {
        private final int access;
        private final String member;
        private final String descriptor;
        private final ByteSink code = new ByteSink();
        private int locals = 8; // slots

        Body(int access, String member, String descriptor) {
            this.access = access;
            this.member = member;
            this.descriptor = descriptor;
        }

        /** Appends the instruction {@code opcode}, which has no operands. */
        Body op(int opcode) {
            code.u1(opcode);
            return this;
        }

        /** Appends the instruction {@code opcode}, whose operand is the index {@code constant} of a constant. */
        Body op(int opcode, int constant) {
            code.u1(opcode);
            code.u2(constant);
            return this;
        }

        /**
         * Appends the instruction {@code opcode}, which loads or stores the local variable of index {@code variable}.
         */
        Body local(int opcode, int variable) {
            code.u1(0xC4); // always the wide form, so that any variable index fits
            code.u1(opcode);
            code.u2(variable);
            locals = Math.max(locals, variable + 2);
            return this;
        }

        Body push(int value) {
            return op(Opcodes.LDC_W, integer(value));
        }

        Body push(long value) {
            return op(Opcodes.LDC2_W, wide(value));
        }

        /**
         * Appends a call of an interface method; {@code slots} counts the stack slots of the receiver and the
         * arguments.
         */
        Body callInterface(String owner, String method, String type, int slots) {
            op(Opcodes.INVOKEINTERFACE, interfaceMethod(owner, method, type));
            code.u1(slots);
            code.u1(0);
            return this;
        }

        void end() {
            end(0);
        }

        /**
         * Ends the method. {@code arguments} is the number of stack slots for the arguments of a constructor that the
         * method calls; 0 if it calls none.
         */
        void end(int arguments) {
            if (code.size() > CODE_BYTES_MAX) {
                throw new IllegalStateException("class " + name + ": a method of " + code.size()
                        + " bytes (expected: at most " + CODE_BYTES_MAX + ")");
            }
            methods.u2(access);
            methods.u2(utf8(member));
            methods.u2(utf8(descriptor));
            methods.u2(1);
            methods.u2(utf8("Code"));
            methods.u4(12 + code.size());
            methods.u2(STACK + arguments);
            methods.u2(locals);
            methods.u4(code.size());
            methods.all(code);
            methods.u2(0);
            methods.u2(0);
            methodCount++;
        }
    }

    /** Adds a constructor without arguments that only calls the constructor of Object. */
    void addConstructor() {
        new Body(PUBLIC, "<init>", "()V")
                .local(Opcodes.ALOAD, 0)
                .op(Opcodes.INVOKESPECIAL, method("java/lang/Object", "<init>", "()V"))
                .op(Opcodes.RETURN)
                .end();
    }

    byte[] bytes(List<String> interfaces) {
        int self = type(name);
        int superclass = type("java/lang/Object");
        List<Integer> interfaceConstants = interfaces.stream().map(this::type).toList();
        ByteSink all = new ByteSink();
        all.u4(MAGIC);
        all.u4(VERSION);
        all.u2(nextConstant);
        all.all(constants);
        all.u2(PUBLIC | FINAL | SUPER | SYNTHETIC);
        all.u2(self);
        all.u2(superclass);
        all.u2(interfaceConstants.size());
        interfaceConstants.forEach(all::u2);
        all.u2(fieldCount);
        all.all(fields);
        all.u2(methodCount);
        all.all(methods);
        all.u2(0);
        return all.bytes.toByteArray();
    }
}
