package dev.hearth.classforms;

import java.util.List;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Conversions of a value on the stack, as {@code LambdaMetafactory} makes them: casts, boxing, unboxing, and wider
 * primitive types. Used by one thread.
 */
final class Conversion {
    /** Classes of boxed values, by the sorts of their primitive types. */
    private static final List<String> BOXES = List.of(
            "java/lang/Void",
            "java/lang/Boolean",
            "java/lang/Character",
            "java/lang/Byte",
            "java/lang/Short",
            "java/lang/Integer",
            "java/lang/Float",
            "java/lang/Long",
            "java/lang/Double");

    private static final List<Type> PRIMITIVES = List.of(
            Type.VOID_TYPE,
            Type.BOOLEAN_TYPE,
            Type.CHAR_TYPE,
            Type.BYTE_TYPE,
            Type.SHORT_TYPE,
            Type.INT_TYPE,
            Type.FLOAT_TYPE,
            Type.LONG_TYPE,
            Type.DOUBLE_TYPE);
    private static final String NUMBER = "java/lang/Number";
    /** Types that any boxed number or value may have. */
    private static final List<String> ABOVE_BOXES =
            List.of("java/lang/Object", NUMBER, "java/lang/Comparable", "java/io/Serializable");

    private final MethodVisitor method;
    private boolean known = true;

    Conversion(MethodVisitor method) {
        this.method = method;
    }

    /** Class of the boxed values of a primitive type. */
    static String box(Type primitive) {
        return BOXES.get(primitive.getSort());
    }

    static boolean isPrimitive(Type type) {
        return type.getSort() <= Type.DOUBLE;
    }

    /** Whether all conversions so far were possible. */
    boolean isKnown() {
        return known;
    }

    /** Converts a value of the type {@code from}, of which more is known as {@code meant}, to the type {@code to}. */
    void convert(Type from, Type meant, Type to) {
        if (isPrimitive(from) && isPrimitive(to)) {
            widen(from, to);
        } else if (isPrimitive(from)) {
            String box = box(from);
            method.visitMethodInsn(
                    Opcodes.INVOKESTATIC, box, "valueOf", "(" + from.getDescriptor() + ")L" + box + ";", false);
        } else if (isPrimitive(to)) {
            unbox(meant, to);
        } else if (!to.equals(from) && !to.getInternalName().equals("java/lang/Object")) {
            method.visitTypeInsn(Opcodes.CHECKCAST, to.getInternalName());
        }
    }

    /** Removes a value of this type. */
    void drop(Type type) {
        if (type.getSize() > 0) {
            method.visitInsn(type.getSize() == 2 ? Opcodes.POP2 : Opcodes.POP);
        }
    }

    private void unbox(Type meant, Type to) {
        int sort = BOXES.indexOf(meant.getInternalName());
        if (sort < 0 && !ABOVE_BOXES.contains(meant.getInternalName())) {
            known = false;
            return;
        }
        Type unboxed = sort < 0 ? to : PRIMITIVES.get(sort);
        boolean isNumber = to.getSort() > Type.CHAR;
        String box = sort < 0 && isNumber ? NUMBER : box(unboxed); // an Integer, too, may become a long
        method.visitTypeInsn(Opcodes.CHECKCAST, box);
        method.visitMethodInsn(
                Opcodes.INVOKEVIRTUAL, box, unboxed.getClassName() + "Value", "()" + unboxed.getDescriptor(), false);
        widen(unboxed, to);
    }

    private void widen(Type from, Type to) {
        boolean isInt = from.getSort() >= Type.CHAR && from.getSort() <= Type.INT;
        if (from.equals(to) || (isInt && to.getSort() == Type.INT)) {
            return;
        }
        int instruction = Opcodes.NOP;
        if (isInt) {
            instruction = switch (to.getSort()) {
                case Type.LONG -> Opcodes.I2L;
                case Type.FLOAT -> Opcodes.I2F;
                case Type.DOUBLE -> Opcodes.I2D;
                default -> Opcodes.NOP;
            };
        } else if (from.getSort() == Type.LONG) {
            instruction = to.getSort() == Type.FLOAT ? Opcodes.L2F : Opcodes.L2D;
        } else if (from.getSort() == Type.FLOAT && to.getSort() == Type.DOUBLE) {
            instruction = Opcodes.F2D;
        }
        known &= instruction != Opcodes.NOP;
        method.visitInsn(instruction);
    }
}
