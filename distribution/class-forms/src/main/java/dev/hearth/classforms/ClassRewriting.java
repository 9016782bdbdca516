package dev.hearth.classforms;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Class whose call sites of lambdas become uses of classes in its nest, and whose methods of records and texts put
 * together become methods of its own. Call sites of serialisable lambdas, which another factory makes, stay. Used by one
 * thread.
 */
final class ClassRewriting {
    /** First version of class files with nests, whose members call each other's private methods. */
    static final int NESTS_SINCE = Opcodes.V11;

    private static final int MAJOR = 0xffff;
    private static final String LAMBDAS = "java/lang/invoke/LambdaMetafactory";
    private static final String LAMBDA = "metafactory";

    private final ClassNode node;
    private final Map<String, byte[]> functions = new LinkedHashMap<>();
    private final Map<String, MethodNode> methods = new LinkedHashMap<>();
    private boolean changed;

    private ClassRewriting(ClassNode node) {
        this.node = node;
    }

    static ClassRewriting of(byte[] bytes) {
        ClassNode node = new ClassNode();
        new ClassReader(bytes).accept(node, 0);
        return new ClassRewriting(node);
    }

    /** Name of the class, with slashes. */
    String name() {
        return node.name;
    }

    /** The class that lists the members of this one's nest; older class files are nests of their own. */
    String host() {
        return node.nestHostClass == null ? node.name : node.nestHostClass;
    }

    /** The classes that were made, by their names. */
    Map<String, byte[]> functions() {
        return functions;
    }

    boolean isChanged() {
        return changed;
    }

    /** Replaces the call sites of this class, and returns their number. */
    int rewrite() {
        int sites = 0;
        if ((node.version & MAJOR) < Opcodes.V1_8) {
            return sites;
        }
        for (MethodNode method : new ArrayList<>(node.methods)) {
            int line = 0;
            for (AbstractInsnNode instruction : method.instructions.toArray()) {
                if (instruction instanceof LineNumberNode number) {
                    line = number.line;
                }
                if (instruction instanceof InvokeDynamicInsnNode site) {
                    Optional<AbstractInsnNode> other = replacement(site, line);
                    other.ifPresent(replacing -> method.instructions.set(site, replacing));
                    sites += other.isPresent() ? 1 : 0;
                }
            }
        }
        node.methods.addAll(methods.values());
        changed |= sites > 0;
        return sites;
    }

    /** Makes classes members of the nest of which this class is the host. */
    void addMembers(Collection<String> members) {
        if (members.isEmpty()) {
            return;
        }
        if (node.nestMembers == null) {
            node.nestMembers = new ArrayList<>();
        }
        node.nestMembers.addAll(members);
        if ((node.version & MAJOR) < NESTS_SINCE) {
            node.version = NESTS_SINCE;
        }
        changed = true;
    }

    byte[] bytes() {
        ClassWriter out = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        node.accept(out);
        return out.toByteArray();
    }

    private Optional<AbstractInsnNode> replacement(InvokeDynamicInsnNode site, int line) {
        Handle factory = site.bsm;
        if (factory.getOwner().equals(LAMBDAS) && factory.getName().equals(LAMBDA)) {
            return function(site, line);
        }
        String key = site.name + " " + site.desc + " " + Arrays.toString(site.bsmArgs);
        if (RecordMethod.isMadeBy(factory)) {
            return Optional.of(call(
                    methods.computeIfAbsent(key, absent -> RecordMethod.of(node.name, site, "record$" + site.name))));
        }
        if (TextMethod.isMadeBy(factory) && TextMethod.isPlain(site)) {
            String name = "text$" + methods.size();
            return Optional.of(call(methods.computeIfAbsent(key, absent -> TextMethod.of(site, name))));
        }
        return Optional.empty();
    }

    private AbstractInsnNode call(MethodNode method) {
        boolean isInterface = (node.access & Opcodes.ACC_INTERFACE) != 0;
        return new MethodInsnNode(Opcodes.INVOKESTATIC, node.name, method.name, method.desc, isInterface);
    }

    private Optional<AbstractInsnNode> function(InvokeDynamicInsnNode site, int line) {
        String name = node.name + "$$Lambda$" + functions.size();
        FunctionClass function = new FunctionClass(name, host(), site);
        int version = Math.max(node.version & MAJOR, NESTS_SINCE);
        Optional<byte[]> made = function.bytes(version, node.sourceFile, line);
        if (made.isEmpty()) {
            return Optional.empty();
        }
        functions.put(name, made.get());
        return Optional.of(
                Type.getArgumentTypes(site.desc).length == 0
                        ? new FieldInsnNode(
                                Opcodes.GETSTATIC,
                                name,
                                FunctionClass.INSTANCE,
                                Type.getReturnType(site.desc).getDescriptor())
                        : new MethodInsnNode(Opcodes.INVOKESTATIC, name, FunctionClass.OF, site.desc, false));
    }
}
