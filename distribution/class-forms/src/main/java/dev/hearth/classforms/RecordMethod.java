package dev.hearth.classforms;

import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodNode;

/** Methods of a record with the results of {@code java.lang.runtime.ObjectMethods}. Used by one thread. */
final class RecordMethod {
    private static final int FACTOR = 31;
    private static final int COMPONENTS_AT = 2; // after the class and the names
    private static final String OBJECTS = "java/util/Objects";

    private final String owner;
    private final MethodNode method;
    private final List<Handle> components = new ArrayList<>();

    private RecordMethod(String owner, InvokeDynamicInsnNode site, String name) {
        this.owner = owner;
        method = new MethodNode(Opcodes.ASM9, TextMethod.ACCESS, name, site.desc, null, null);
        for (int i = COMPONENTS_AT; i < site.bsmArgs.length; i++) {
            components.add((Handle) site.bsmArgs[i]);
        }
    }

    static boolean isMadeBy(Handle factory) {
        return factory.getOwner().equals("java/lang/runtime/ObjectMethods");
    }

    /** The static method {@code name} of {@code owner} that does what {@code site} would. */
    static MethodNode of(String owner, InvokeDynamicInsnNode site, String name) {
        RecordMethod made = new RecordMethod(owner, site, name);
        made.method.visitCode();
        switch (site.name) {
            case "toString" -> made.text((String) site.bsmArgs[1]);
            case "hashCode" -> made.hash();
            case "equals" -> made.comparison();
            default ->
                throw new IllegalArgumentException(owner + "." + site.name + ": (expected: a method of records)");
        }
        return made.method;
    }

    private void load(int variable, Handle component) {
        method.visitVarInsn(Opcodes.ALOAD, variable);
        if (variable > 0) {
            method.visitTypeInsn(Opcodes.CHECKCAST, owner);
        }
        method.visitFieldInsn(Opcodes.GETFIELD, owner, component.getName(), component.getDesc());
    }

    private void text(String names) {
        TextMethod.begin(method);
        method.visitVarInsn(Opcodes.ALOAD, 0);
        method.visitMethodInsn(Opcodes.INVOKEVIRTUAL, "java/lang/Object", "getClass", "()Ljava/lang/Class;", false);
        method.visitMethodInsn(
                Opcodes.INVOKEVIRTUAL, "java/lang/Class", "getSimpleName", "()Ljava/lang/String;", false);
        TextMethod.append(method, Type.getType(String.class));
        String[] all = names.split(";", -1);
        for (int i = 0; i < components.size(); i++) {
            TextMethod.append(
                    method,
                    new StringBuilder(i == 0 ? "[" : ", ").append(all[i]).append('='));
            load(0, components.get(i));
            TextMethod.append(method, Type.getType(components.get(i).getDesc()));
        }
        TextMethod.append(method, new StringBuilder(components.isEmpty() ? "[]" : "]"));
        TextMethod.end(method);
    }

    private void hash() {
        method.visitInsn(Opcodes.ICONST_0);
        for (Handle component : components) {
            Type type = Type.getType(component.getDesc());
            boolean isPrimitive = Conversion.isPrimitive(type);
            method.visitIntInsn(Opcodes.BIPUSH, FACTOR);
            method.visitInsn(Opcodes.IMUL);
            load(0, component);
            method.visitMethodInsn(
                    Opcodes.INVOKESTATIC,
                    isPrimitive ? Conversion.box(type) : OBJECTS,
                    "hashCode",
                    isPrimitive ? "(" + type.getDescriptor() + ")I" : "(Ljava/lang/Object;)I",
                    false);
            method.visitInsn(Opcodes.IADD);
        }
        method.visitInsn(Opcodes.IRETURN);
        method.visitMaxs(0, 0);
        method.visitEnd();
    }

    private void comparison() {
        Label others = new Label();
        Label differs = new Label();
        method.visitVarInsn(Opcodes.ALOAD, 0);
        method.visitVarInsn(Opcodes.ALOAD, 1);
        method.visitJumpInsn(Opcodes.IF_ACMPNE, others);
        method.visitInsn(Opcodes.ICONST_1);
        method.visitInsn(Opcodes.IRETURN);
        target(others);
        method.visitVarInsn(Opcodes.ALOAD, 1);
        method.visitTypeInsn(Opcodes.INSTANCEOF, owner);
        method.visitJumpInsn(Opcodes.IFEQ, differs);
        for (Handle component : components) {
            load(0, component);
            load(1, component);
            compare(Type.getType(component.getDesc()), differs);
        }
        method.visitInsn(Opcodes.ICONST_1);
        method.visitInsn(Opcodes.IRETURN);
        target(differs);
        method.visitInsn(Opcodes.ICONST_0);
        method.visitInsn(Opcodes.IRETURN);
        method.visitMaxs(0, 0);
        method.visitEnd();
    }

    private void target(Label label) {
        method.visitLabel(label);
        method.visitFrame(Opcodes.F_SAME, 0, null, 0, null);
    }

    private void compare(Type type, Label differs) {
        switch (type.getSort()) {
            case Type.FLOAT, Type.DOUBLE, Type.LONG -> {
                String types = "(" + type.getDescriptor() + type.getDescriptor() + ")I";
                method.visitMethodInsn(Opcodes.INVOKESTATIC, Conversion.box(type), "compare", types, false);
                method.visitJumpInsn(Opcodes.IFNE, differs);
            }
            case Type.OBJECT, Type.ARRAY -> {
                String types = "(Ljava/lang/Object;Ljava/lang/Object;)Z";
                method.visitMethodInsn(Opcodes.INVOKESTATIC, OBJECTS, "equals", types, false);
                method.visitJumpInsn(Opcodes.IFEQ, differs);
            }
            default -> method.visitJumpInsn(Opcodes.IF_ICMPNE, differs);
        }
    }
}
