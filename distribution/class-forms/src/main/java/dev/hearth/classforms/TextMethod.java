package dev.hearth.classforms;

import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodNode;

/** Method that puts a text together, as the plus operator does. Stateless. */
final class TextMethod {
    static final String BUILDER = "java/lang/StringBuilder";
    static final int ACCESS = Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC | Opcodes.ACC_SYNTHETIC;

    private static final Type TEXT = Type.getType(String.class);
    private static final char ARGUMENT = '\1';
    private static final char CONSTANT = '\2';

    private TextMethod() {}

    static boolean isMadeBy(Handle factory) {
        return factory.getOwner().equals("java/lang/invoke/StringConcatFactory")
                && factory.getName().equals("makeConcatWithConstants");
    }

    /** Whether all of the text but its arguments is in the recipe. */
    static boolean isPlain(InvokeDynamicInsnNode site) {
        return ((String) site.bsmArgs[0]).indexOf(CONSTANT) < 0;
    }

    static MethodNode of(InvokeDynamicInsnNode site, String name) {
        MethodNode method = new MethodNode(Opcodes.ASM9, ACCESS, name, site.desc, null, null);
        method.visitCode();
        begin(method);
        Type[] types = Type.getArgumentTypes(site.desc);
        int argument = 0;
        int variable = 0;
        StringBuilder words = new StringBuilder();
        for (char next : ((String) site.bsmArgs[0]).toCharArray()) {
            if (next != ARGUMENT) {
                words.append(next);
                continue;
            }
            append(method, words);
            Type type = types[argument++];
            method.visitVarInsn(type.getOpcode(Opcodes.ILOAD), variable);
            variable += type.getSize();
            append(method, type);
        }
        append(method, words);
        end(method);
        return method;
    }

    /** Puts a builder of texts on the stack. */
    static void begin(MethodVisitor method) {
        method.visitTypeInsn(Opcodes.NEW, BUILDER);
        method.visitInsn(Opcodes.DUP);
        method.visitMethodInsn(Opcodes.INVOKESPECIAL, BUILDER, "<init>", "()V", false);
    }

    /** Appends the value on the stack to the builder below it. */
    static void append(MethodVisitor method, Type type) {
        String shown = switch (type.getSort()) {
            case Type.BYTE, Type.SHORT -> "I";
            case Type.OBJECT, Type.ARRAY -> type.equals(TEXT) ? TEXT.getDescriptor() : "Ljava/lang/Object;";
            default -> type.getDescriptor();
        };
        method.visitMethodInsn(Opcodes.INVOKEVIRTUAL, BUILDER, "append", "(" + shown + ")L" + BUILDER + ";", false);
    }

    /** Appends words and empties them. */
    static void append(MethodVisitor method, StringBuilder words) {
        if (!words.isEmpty()) {
            method.visitLdcInsn(words.toString());
            append(method, TEXT);
            words.setLength(0);
        }
    }

    /** Returns the text of the builder on the stack. */
    static void end(MethodVisitor method) {
        method.visitMethodInsn(Opcodes.INVOKEVIRTUAL, BUILDER, "toString", "()Ljava/lang/String;", false);
        method.visitInsn(Opcodes.ARETURN);
        method.visitMaxs(0, 0);
        method.visitEnd();
    }
}
