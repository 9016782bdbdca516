package dev.hearth.classforms;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;

/**
 * Class of one lambda or method reference: it holds what is captured, and calls the method that has the code. One without
 * captured values has one instance. Its frame in a stack trace names the line of the call site. Used by one thread.
 */
final class FunctionClass {
    /** Field with the only instance. */
    static final String INSTANCE = "INSTANCE";
    /** Method that makes an instance of captured values. */
    static final String OF = "of";

    private static final String OBJECT = "java/lang/Object";
    private static final String NEW = "<init>";

    private final String name;
    private final String host;
    private final String function;
    private final String site;
    private final Type[] captured;
    private final Type type;
    private final Type called; // the interface's method, as it is erased
    private final Handle code;
    private final Type meant; // the same with the types of this use

    FunctionClass(String name, String host, InvokeDynamicInsnNode site) {
        this.name = name;
        this.host = host;
        this.function = site.name;
        this.site = site.desc;
        captured = Type.getArgumentTypes(site.desc);
        type = Type.getReturnType(site.desc);
        called = (Type) site.bsmArgs[0];
        code = (Handle) site.bsmArgs[1];
        meant = (Type) site.bsmArgs[2];
    }

    /** The class file; empty if a value needs a conversion that only Java knows. */
    Optional<byte[]> bytes(int version, @Nullable String source, int line) {
        ClassWriter out = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        int access = Opcodes.ACC_FINAL | Opcodes.ACC_SUPER | Opcodes.ACC_SYNTHETIC;
        out.visit(version, access, name, null, OBJECT, new String[] {type.getInternalName()});
        out.visitSource(source, null);
        out.visitNestHost(host);
        constructor(out);
        if (captured.length == 0) {
            instance(out);
        } else {
            factory(out);
        }
        MethodVisitor method = out.visitMethod(Opcodes.ACC_PUBLIC, function, called.getDescriptor(), null, null);
        method.visitCode();
        if (line > 0) {
            Label start = new Label();
            method.visitLabel(start);
            method.visitLineNumber(line, start);
        }
        boolean isPossible = body(method);
        method.visitMaxs(0, 0);
        method.visitEnd();
        out.visitEnd();
        return isPossible ? Optional.of(out.toByteArray()) : Optional.empty();
    }

    private static String field(int index) {
        return "c" + index;
    }

    private String constructorType() {
        return Type.getMethodDescriptor(Type.VOID_TYPE, captured);
    }

    private void constructor(ClassWriter out) {
        for (int i = 0; i < captured.length; i++) {
            int access = Opcodes.ACC_PRIVATE | Opcodes.ACC_FINAL;
            out.visitField(access, field(i), captured[i].getDescriptor(), null, null)
                    .visitEnd();
        }
        MethodVisitor method = out.visitMethod(Opcodes.ACC_PRIVATE, NEW, constructorType(), null, null);
        method.visitCode();
        method.visitVarInsn(Opcodes.ALOAD, 0);
        method.visitMethodInsn(Opcodes.INVOKESPECIAL, OBJECT, NEW, "()V", false);
        int variable = 1;
        for (int i = 0; i < captured.length; i++) {
            method.visitVarInsn(Opcodes.ALOAD, 0);
            method.visitVarInsn(captured[i].getOpcode(Opcodes.ILOAD), variable);
            method.visitFieldInsn(Opcodes.PUTFIELD, name, field(i), captured[i].getDescriptor());
            variable += captured[i].getSize();
        }
        end(method, Opcodes.RETURN);
    }

    private void instance(ClassWriter out) {
        int access = Opcodes.ACC_STATIC | Opcodes.ACC_FINAL;
        out.visitField(access, INSTANCE, type.getDescriptor(), null, null).visitEnd();
        MethodVisitor method = out.visitMethod(Opcodes.ACC_STATIC, "<clinit>", "()V", null, null);
        method.visitCode();
        method.visitTypeInsn(Opcodes.NEW, name);
        method.visitInsn(Opcodes.DUP);
        method.visitMethodInsn(Opcodes.INVOKESPECIAL, name, NEW, constructorType(), false);
        method.visitFieldInsn(Opcodes.PUTSTATIC, name, INSTANCE, type.getDescriptor());
        end(method, Opcodes.RETURN);
    }

    private void factory(ClassWriter out) {
        MethodVisitor method = out.visitMethod(Opcodes.ACC_STATIC, OF, site, null, null);
        method.visitCode();
        method.visitTypeInsn(Opcodes.NEW, name);
        method.visitInsn(Opcodes.DUP);
        int variable = 0;
        for (Type value : captured) {
            method.visitVarInsn(value.getOpcode(Opcodes.ILOAD), variable);
            variable += value.getSize();
        }
        method.visitMethodInsn(Opcodes.INVOKESPECIAL, name, NEW, constructorType(), false);
        end(method, Opcodes.ARETURN);
    }

    private static void end(MethodVisitor method, int instruction) {
        method.visitInsn(instruction);
        method.visitMaxs(0, 0);
        method.visitEnd();
    }

    /** Calls the code with the captured values and the arguments. Returns whether all conversions are known. */
    private boolean body(MethodVisitor method) {
        boolean isConstructor = code.getTag() == Opcodes.H_NEWINVOKESPECIAL;
        if (isConstructor) {
            method.visitTypeInsn(Opcodes.NEW, code.getOwner());
            method.visitInsn(Opcodes.DUP);
        }
        Conversion conversion = new Conversion(method);
        List<Type> expected = parameters();
        int parameter = 0;
        for (int i = 0; i < captured.length; i++) {
            method.visitVarInsn(Opcodes.ALOAD, 0);
            method.visitFieldInsn(Opcodes.GETFIELD, name, field(i), captured[i].getDescriptor());
            conversion.convert(captured[i], captured[i], expected.get(parameter++));
        }
        Type[] given = called.getArgumentTypes();
        int variable = 1;
        for (int i = 0; i < given.length; i++) {
            method.visitVarInsn(given[i].getOpcode(Opcodes.ILOAD), variable);
            variable += given[i].getSize();
            conversion.convert(given[i], meant.getArgumentTypes()[i], expected.get(parameter++));
        }
        call(method);
        Type result = isConstructor ? Type.getObjectType(code.getOwner()) : Type.getReturnType(code.getDesc());
        Type wanted = called.getReturnType();
        if (wanted.getSort() == Type.VOID) {
            conversion.drop(result);
        } else {
            conversion.convert(result, result, meant.getReturnType());
            conversion.convert(meant.getReturnType(), meant.getReturnType(), wanted);
        }
        method.visitInsn(wanted.getOpcode(Opcodes.IRETURN));
        return conversion.isKnown();
    }

    private List<Type> parameters() {
        List<Type> all = new ArrayList<>();
        if (code.getTag() != Opcodes.H_INVOKESTATIC && code.getTag() != Opcodes.H_NEWINVOKESPECIAL) {
            all.add(Type.getObjectType(code.getOwner()));
        }
        all.addAll(List.of(Type.getArgumentTypes(code.getDesc())));
        return all;
    }

    private void call(MethodVisitor method) {
        int instruction = switch (code.getTag()) {
            case Opcodes.H_INVOKESTATIC -> Opcodes.INVOKESTATIC;
            case Opcodes.H_NEWINVOKESPECIAL -> Opcodes.INVOKESPECIAL;
            default -> code.isInterface() ? Opcodes.INVOKEINTERFACE : Opcodes.INVOKEVIRTUAL; // private ones, too
        };
        method.visitMethodInsn(instruction, code.getOwner(), code.getName(), code.getDesc(), code.isInterface());
    }
}
