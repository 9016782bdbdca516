package dev.hearth.engine.internal.serializer;

import java.lang.invoke.MethodHandles;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Generates the codec of one class: a hidden class that reads and writes the fields of objects without reflection. The
 * codec is a nest mate of the class, so that it may access private fields. It calls {@link RecordWriter} and {@link
 * RecordReader} through JDK interfaces, because user classes do not see Hearth's classes. The codec is a BiConsumer of
 * (object, writer) and a BiFunction of (new object or null, reader). The JVM unloads the codec with the class.
 */
final class FieldCodecGenerator {
    // architectures that support unaligned memory access, which codecs use
    private static final Set<String> UNALIGNED = Set.of("amd64", "x86_64", "aarch64");
    private static final boolean POSSIBLE = UnsafeAccess.OF_PROCESS != null
            && ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN
            && UNALIGNED.contains(System.getProperty("os.arch", ""));

    private static final String LOOKUP_CLASS = "HearthRecordLookup$";
    private static final String UNSAFE = UnsafeAccess.Generator.UNSAFE;
    // indexes of local variables in the generated methods
    private static final int SUBJECT = 1;
    private static final int STREAM = 2;
    private static final int TYPED = 3;
    private static final int BYTES = 4;
    private static final int BASE = 5; // this variable is a long, which takes two slots
    private static final int REFERENCES = 7; // the interface of the writer or reader for references
    private static final int COMPONENTS = 8;

    private final FieldLayout layout;
    private final UnsafeAccess memory;
    private final boolean instantiated; // whether the caller creates the object that a codec reads into
    private final String self;
    private final ClassFileBuilder file;

    private FieldCodecGenerator(FieldLayout layout, UnsafeAccess memory, boolean instantiated) {
        this.layout = layout;
        this.memory = memory;
        this.instantiated = instantiated;
        this.self = layout.type().getName().replace('.', '/');
        this.file = new ClassFileBuilder(self + "$RecordCodec");
    }

    /**
     * Returns a new codec of the class that {@code layout} describes. Returns null if no codec can be generated for
     * this class or on this JVM; callers then use reflection.
     */
    static @Nullable Object of(FieldLayout layout, boolean instantiated) {
        UnsafeAccess memory = UnsafeAccess.OF_PROCESS;
        if (!POSSIBLE || memory == null || !layout.references().stream().allMatch(field -> isNamed(field, layout))) {
            return null;
        }
        try {
            MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(layout.type(), lookupBeside(layout.type()));
            byte[] bytes = new FieldCodecGenerator(layout, memory, instantiated).bytes();
            return lookup.defineHiddenClass(bytes, true, MethodHandles.Lookup.ClassOption.NESTMATE)
                    .lookupClass()
                    .getDeclaredConstructor()
                    .newInstance();
        } catch (ReflectiveOperationException | LinkageError | RuntimeException closed) {
            return null; // the class is in a closed module, or too large: fall back to reflection
        }
    }

    /**
     * Returns a lookup that may define a nest mate of {@code type}. If {@code type} is in another module, Hearth's own
     * lookup may define classes beside it, but no nest mates. Hearth therefore defines one helper class per package
     * there. The helper's only method returns the helper's own lookup, which has full access.
     */
    private static MethodHandles.Lookup lookupBeside(Class<?> type) throws ReflectiveOperationException {
        MethodHandles.Lookup own = MethodHandles.lookup();
        if (type.getModule() == FieldCodecGenerator.class.getModule()) {
            return own;
        }
        String inside = type.getPackageName().isEmpty() ? LOOKUP_CLASS : type.getPackageName() + '.' + LOOKUP_CLASS;
        Class<?> lookupClass;
        synchronized (FieldCodecGenerator.class) { // applications that share a class loader may call at once
            try {
                lookupClass = Class.forName(inside, true, type.getClassLoader());
            } catch (ClassNotFoundException first) {
                lookupClass = MethodHandles.privateLookupIn(type, own)
                        .defineClass(lookupClassBytes(inside.replace('.', '/')));
            }
        }
        return (MethodHandles.Lookup) lookupClass.getMethod("lookup").invoke(null);
    }

    private static byte[] lookupClassBytes(String name) {
        ClassFileBuilder file = new ClassFileBuilder(name);
        String type = "()Ljava/lang/invoke/MethodHandles$Lookup;";
        file.new Body(ClassFileBuilder.PUBLIC | ClassFileBuilder.STATIC, "lookup", type)
                .op(Opcodes.INVOKESTATIC, file.method("java/lang/invoke/MethodHandles", "lookup", type))
                .op(Opcodes.ARETURN)
                .end();
        return file.bytes(List.of());
    }

    /** Whether the class of {@code layout} can refer to the type of {@code field} by name, as generated code must. */
    private static boolean isNamed(Field field, FieldLayout layout) {
        Class<?> type = field.getType();
        while (type.isArray()) {
            type = type.getComponentType();
        }
        if (type.isPrimitive()) {
            return true;
        }
        Class<?> owner = layout.type();
        boolean open = Modifier.isPublic(type.getModifiers())
                && type.getModule().isExported(type.getPackageName(), owner.getModule());
        boolean near = type.getClassLoader() == owner.getClassLoader()
                && type.getPackageName().equals(owner.getPackageName());
        try {
            return (open || near) && Class.forName(type.getName(), false, owner.getClassLoader()) == type;
        } catch (ClassNotFoundException | LinkageError hidden) {
            return false;
        }
    }

    private byte[] bytes() {
        UnsafeAccess.Generator.addUnsafe(file);
        file.addConstructor();
        addWriting();
        if (layout.type().isRecord()) {
            addComponentReading();
        } else {
            addFieldReading();
        }
        return file.bytes(List.of("java/util/function/BiConsumer", "java/util/function/BiFunction"));
    }

    private void addWriting() {
        ClassFileBuilder.Body body =
                file.new Body(ClassFileBuilder.PUBLIC, "accept", "(Ljava/lang/Object;Ljava/lang/Object;)V");
        body.local(Opcodes.ALOAD, SUBJECT)
                .op(Opcodes.CHECKCAST, file.type(self))
                .local(Opcodes.ASTORE, TYPED);
        reserveBytes(body);
        long at = 0;
        for (Field field : layout.primitives()) {
            address(body, at);
            load(body, field);
            unsafe(body, "put", inBytes(field.getType()));
            at += FieldLayout.width(field.getType());
        }
        String consumer = "java/util/function/Consumer";
        cast(body, consumer, REFERENCES);
        for (Field field : layout.references()) {
            body.local(Opcodes.ALOAD, REFERENCES);
            load(body, field);
            body.callInterface(consumer, "accept", "(Ljava/lang/Object;)V", 2);
        }
        body.op(Opcodes.RETURN).end();
    }

    /**
     * Generates code that calls the record writer to reserve bytes for the primitive fields. The code stores the array
     * of these bytes and their address in local variables.
     */
    private void reserveBytes(ClassFileBuilder.Body body) {
        int width = layout.width();
        if (width == 0) {
            return;
        }
        String room = "java/util/function/IntFunction";
        String place = "java/util/function/IntSupplier";
        body.local(Opcodes.ALOAD, STREAM).op(Opcodes.CHECKCAST, file.type(room)).push(width);
        body.callInterface(room, "apply", "(I)Ljava/lang/Object;", 2)
                .op(Opcodes.CHECKCAST, file.type("[B"))
                .local(Opcodes.ASTORE, BYTES);
        body.local(Opcodes.ALOAD, STREAM).op(Opcodes.CHECKCAST, file.type(place));
        body.callInterface(place, "getAsInt", "()I", 1)
                .push(memory.firstOfBytes(byte[].class) - width)
                .op(Opcodes.IADD)
                .op(Opcodes.I2L)
                .local(Opcodes.LSTORE, BASE);
    }

    private void cast(ClassFileBuilder.Body body, String type, int variable) {
        body.local(Opcodes.ALOAD, STREAM).op(Opcodes.CHECKCAST, file.type(type)).local(Opcodes.ASTORE, variable);
    }

    private void pushUnsafe(ClassFileBuilder.Body body) {
        body.op(
                Opcodes.GETSTATIC,
                file.field(file.name(), UnsafeAccess.Generator.FIELD, UnsafeAccess.Generator.DESCRIPTOR));
    }

    /**
     * Generates code that pushes the arguments of an access to serialised bytes: Unsafe, the byte array, and the
     * address of byte {@code at} in that array.
     */
    private void address(ClassFileBuilder.Body body, long at) {
        pushUnsafe(body);
        body.local(Opcodes.ALOAD, BYTES).local(Opcodes.LLOAD, BASE).push(at).op(Opcodes.LADD);
    }

    /**
     * Returns the type with which a field of the primitive type {@code type} is serialised: byte for a boolean,
     * otherwise the type itself.
     */
    private static Class<?> inBytes(Class<?> type) {
        return type == boolean.class ? byte.class : type;
    }

    private void unsafe(ClassFileBuilder.Body body, String verb, Class<?> type) {
        String name = type.isPrimitive() ? type.getName() : "object";
        String letter = type.isPrimitive() ? type.descriptorString() : "Ljava/lang/Object;";
        String descriptor =
                verb.equals("put") ? "(Ljava/lang/Object;J" + letter + ")V" : "(Ljava/lang/Object;J)" + letter;
        body.op(
                Opcodes.INVOKEVIRTUAL,
                file.method(UNSAFE, verb + Character.toUpperCase(name.charAt(0)) + name.substring(1), descriptor));
    }

    private boolean isInNest(Field field) {
        return field.getDeclaringClass().getNestHost() == layout.type().getNestHost();
    }

    private int constant(Field field) {
        return file.field(
                field.getDeclaringClass().getName().replace('.', '/'),
                field.getName(),
                field.getType().descriptorString());
    }

    private void load(ClassFileBuilder.Body body, Field field) {
        if (isInNest(field)) {
            body.local(Opcodes.ALOAD, TYPED).op(Opcodes.GETFIELD, constant(field));
        } else {
            pushUnsafe(body);
            body.local(Opcodes.ALOAD, TYPED).push(memory.offset(field));
            unsafe(body, "get", field.getType());
        }
    }

    private void addFieldReading() {
        ClassFileBuilder.Body body = reading();
        if (instantiated) {
            body.local(Opcodes.ALOAD, SUBJECT);
        } else {
            pushUnsafe(body);
            body.op(Opcodes.LDC_W, file.type(self))
                    .op(
                            Opcodes.INVOKEVIRTUAL,
                            file.method(UNSAFE, "allocateInstance", "(Ljava/lang/Class;)Ljava/lang/Object;"));
        }
        body.op(Opcodes.CHECKCAST, file.type(self)).local(Opcodes.ASTORE, TYPED);
        if (!layout.isLeaf()) {
            String consumer = "java/util/function/Consumer";
            body.local(Opcodes.ALOAD, STREAM)
                    .op(Opcodes.CHECKCAST, file.type(consumer))
                    .local(Opcodes.ALOAD, TYPED);
            body.callInterface(consumer, "accept", "(Ljava/lang/Object;)V", 2);
        }
        reserveBytes(body);
        long at = 0;
        for (Field field : layout.primitives()) {
            long place = at;
            store(body, field, () -> readPrimitive(body, field.getType(), place));
            at += FieldLayout.width(field.getType());
        }
        cast(body, "java/util/function/Supplier", REFERENCES);
        for (Field field : layout.references()) {
            store(body, field, () -> readReference(body, field.getType()));
        }
        body.local(Opcodes.ALOAD, TYPED).op(Opcodes.ARETURN).end();
    }

    private ClassFileBuilder.Body reading() {
        return file
        .new Body(ClassFileBuilder.PUBLIC, "apply", "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;");
    }

    private void store(ClassFileBuilder.Body body, Field field, Runnable value) {
        if (isInNest(field) && !Modifier.isFinal(field.getModifiers())) {
            body.local(Opcodes.ALOAD, TYPED);
            value.run();
            body.op(Opcodes.PUTFIELD, constant(field));
        } else {
            pushUnsafe(body);
            body.local(Opcodes.ALOAD, TYPED).push(memory.offset(field));
            value.run();
            unsafe(body, "put", field.getType());
        }
    }

    private void readPrimitive(ClassFileBuilder.Body body, Class<?> type, long at) {
        address(body, at);
        unsafe(body, "get", inBytes(type));
        if (type == boolean.class) {
            body.op(Opcodes.ICONST_1).op(Opcodes.IAND);
        }
    }

    private void readReference(ClassFileBuilder.Body body, Class<?> type) {
        body.local(Opcodes.ALOAD, REFERENCES)
                .callInterface("java/util/function/Supplier", "get", "()Ljava/lang/Object;", 1);
        if (type != Object.class) {
            body.op(
                    Opcodes.CHECKCAST,
                    file.type(
                            type.isArray()
                                    ? type.descriptorString()
                                    : type.getName().replace('.', '/')));
        }
    }

    private void addComponentReading() {
        ClassFileBuilder.Body body = reading();
        reserveBytes(body);
        Map<String, Integer> variables = new HashMap<>();
        int variable = COMPONENTS;
        long at = 0;
        for (Field field : layout.primitives()) {
            readPrimitive(body, field.getType(), at);
            at += FieldLayout.width(field.getType());
            body.local(ofKind(field.getType(), Opcodes.ISTORE), variable);
            variables.put(field.getName(), variable);
            variable += 2;
        }
        cast(body, "java/util/function/Supplier", REFERENCES);
        for (Field field : layout.references()) {
            readReference(body, field.getType());
            body.local(Opcodes.ASTORE, variable);
            variables.put(field.getName(), variable);
            variable += 2;
        }
        body.op(Opcodes.NEW, file.type(self)).op(Opcodes.DUP);
        StringBuilder descriptor = new StringBuilder("(");
        for (RecordComponent component : layout.type().getRecordComponents()) {
            body.local(ofKind(component.getType(), Opcodes.ILOAD), variables.get(component.getName()));
            descriptor.append(component.getType().descriptorString());
        }
        body.op(Opcodes.INVOKESPECIAL, file.method(self, "<init>", descriptor + ")V"));
        body.op(Opcodes.ARETURN).end(2 * variables.size());
    }

    /**
     * Returns the variant for {@code type} of the instruction {@code forInts}: for example, LLOAD for the type long and
     * the instruction ILOAD.
     */
    private static int ofKind(Class<?> type, int forInts) {
        if (!type.isPrimitive()) {
            return forInts + (Opcodes.ALOAD - Opcodes.ILOAD);
        }
        if (type == long.class) {
            return forInts + (Opcodes.LLOAD - Opcodes.ILOAD);
        }
        if (type == float.class) {
            return forInts + (Opcodes.FLOAD - Opcodes.ILOAD);
        }
        return type == double.class ? forInts + (Opcodes.DLOAD - Opcodes.ILOAD) : forInts;
    }
}
