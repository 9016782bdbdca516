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
 * Makes the codec of one class: a hidden nest mate of it, that reads and writes its fields without asking anybody. It sees what
 * the class sees, so that it knows {@link RecordWriter} and {@link RecordReader} by interfaces of the JDK alone: a BiConsumer of
 * (object, writer), and a BiFunction of (object made or null, reader). Dies with the class. Made and dropped with one class file.
 */
final class FieldCodecGenerator {
    private static final Set<String> UNALIGNED = Set.of("amd64", "x86_64", "aarch64"); // reach numbers at any address
    private static final boolean POSSIBLE = UnsafeAccess.OF_PROCESS != null
            && ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN
            && UNALIGNED.contains(System.getProperty("os.arch", ""));

    private static final String LOOKUP_CLASS = "HearthRecordLookup$";
    private static final String UNSAFE = UnsafeAccess.Generated.UNSAFE;
    // Local variables.
    private static final int SUBJECT = 1;
    private static final int HAND = 2;
    private static final int TYPED = 3;
    private static final int BYTES = 4;
    private static final int BASE = 5; // a long
    private static final int LINE = 7; // where references go to or come from
    private static final int COMPONENTS = 8;

    private final FieldLayout layout;
    private final UnsafeAccess memory;
    private final boolean made; // by a constructor, outside
    private final String self;
    private final ClassFileBuilder file;

    private FieldCodecGenerator(FieldLayout layout, UnsafeAccess memory, boolean made) {
        this.layout = layout;
        this.memory = memory;
        this.made = made;
        this.self = layout.type().getName().replace('.', '/');
        this.file = new ClassFileBuilder(self + "$RecordCodec");
    }

    /** Null where the class does not let us, or the machine is one that we know too little of. */
    static @Nullable Object of(FieldLayout layout, boolean made) {
        UnsafeAccess memory = UnsafeAccess.OF_PROCESS;
        if (!POSSIBLE || memory == null || !layout.references().stream().allMatch(field -> isNamed(field, layout))) {
            return null;
        }
        try {
            MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(layout.type(), lookupBeside(layout.type()));
            byte[] bytes = new FieldCodecGenerator(layout, memory, made).bytes();
            return lookup.defineHiddenClass(bytes, true, MethodHandles.Lookup.ClassOption.NESTMATE)
                    .lookupClass()
                    .getDeclaredConstructor()
                    .newInstance();
        } catch (ReflectiveOperationException | LinkageError | RuntimeException closed) {
            return null; // a class of a closed module, or too large a one: reflection does it
        }
    }

    /**
     * A lookup with all rights in the module of the class. That of another loader's classes is another module: to them we may add
     * a class, but no nest mate. So there we add one class, once a package, which does no more than say what its own rights are.
     */
    private static MethodHandles.Lookup lookupBeside(Class<?> type) throws ReflectiveOperationException {
        MethodHandles.Lookup own = MethodHandles.lookup();
        if (type.getModule() == FieldCodecGenerator.class.getModule()) {
            return own;
        }
        String inside = type.getPackageName().isEmpty() ? LOOKUP_CLASS : type.getPackageName() + '.' + LOOKUP_CLASS;
        Class<?> saying;
        synchronized (FieldCodecGenerator.class) { // several applications may have one loader
            try {
                saying = Class.forName(inside, true, type.getClassLoader());
            } catch (ClassNotFoundException first) {
                saying = MethodHandles.privateLookupIn(type, own).defineClass(sayingLookup(inside.replace('.', '/')));
            }
        }
        return (MethodHandles.Lookup) saying.getMethod("lookup").invoke(null);
    }

    private static byte[] sayingLookup(String name) {
        ClassFileBuilder file = new ClassFileBuilder(name);
        String type = "()Ljava/lang/invoke/MethodHandles$Lookup;";
        file.new Body(ClassFileBuilder.PUBLIC | ClassFileBuilder.STATIC, "lookup", type)
                .op(Opcodes.INVOKESTATIC, file.method("java/lang/invoke/MethodHandles", "lookup", type))
                .op(Opcodes.ARETURN)
                .end();
        return file.bytes(List.of());
    }

    /** Whether the class can name the field's type, and means the same by it. */
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
        UnsafeAccess.Generated.addUnsafe(file);
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
        openRoom(body);
        long at = 0;
        for (Field field : layout.primitives()) {
            address(body, at);
            load(body, field);
            unsafe(body, "put", inBytes(field.getType()));
            at += FieldLayout.width(field.getType());
        }
        String consumer = "java/util/function/Consumer";
        cast(body, consumer, LINE);
        for (Field field : layout.references()) {
            body.local(Opcodes.ALOAD, LINE);
            load(body, field);
            body.callInterface(consumer, "accept", "(Ljava/lang/Object;)V", 2);
        }
        body.op(Opcodes.RETURN).end();
    }

    /** Puts the array and the address of the first byte of the primitive fields where they are looked for. */
    private void openRoom(ClassFileBuilder.Body body) {
        int width = layout.width();
        if (width == 0) {
            return;
        }
        String room = "java/util/function/IntFunction";
        String place = "java/util/function/IntSupplier";
        body.local(Opcodes.ALOAD, HAND).op(Opcodes.CHECKCAST, file.type(room)).push(width);
        body.callInterface(room, "apply", "(I)Ljava/lang/Object;", 2)
                .op(Opcodes.CHECKCAST, file.type("[B"))
                .local(Opcodes.ASTORE, BYTES);
        body.local(Opcodes.ALOAD, HAND).op(Opcodes.CHECKCAST, file.type(place));
        body.callInterface(place, "getAsInt", "()I", 1)
                .push(memory.firstOfBytes(byte[].class) - width)
                .op(Opcodes.IADD)
                .op(Opcodes.I2L)
                .local(Opcodes.LSTORE, BASE);
    }

    private void cast(ClassFileBuilder.Body body, String type, int variable) {
        body.local(Opcodes.ALOAD, HAND).op(Opcodes.CHECKCAST, file.type(type)).local(Opcodes.ASTORE, variable);
    }

    private void theUnsafe(ClassFileBuilder.Body body) {
        body.op(
                Opcodes.GETSTATIC,
                file.field(file.name(), UnsafeAccess.Generated.FIELD, UnsafeAccess.Generated.DESCRIPTOR));
    }

    /** Loads what a call needs that reads or writes at a place of the bytes. */
    private void address(ClassFileBuilder.Body body, long at) {
        theUnsafe(body);
        body.local(Opcodes.ALOAD, BYTES).local(Opcodes.LLOAD, BASE).push(at).op(Opcodes.LADD);
    }

    /** How a primitive stands in bytes: a boolean is a byte. */
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

    private boolean isOfNest(Field field) {
        return field.getDeclaringClass().getNestHost() == layout.type().getNestHost();
    }

    private int constant(Field field) {
        return file.field(
                field.getDeclaringClass().getName().replace('.', '/'),
                field.getName(),
                field.getType().descriptorString());
    }

    private void load(ClassFileBuilder.Body body, Field field) {
        if (isOfNest(field)) {
            body.local(Opcodes.ALOAD, TYPED).op(Opcodes.GETFIELD, constant(field));
        } else {
            theUnsafe(body);
            body.local(Opcodes.ALOAD, TYPED).push(memory.offset(field));
            unsafe(body, "get", field.getType());
        }
    }

    private void addFieldReading() {
        ClassFileBuilder.Body body = reading();
        if (made) {
            body.local(Opcodes.ALOAD, SUBJECT);
        } else {
            theUnsafe(body);
            body.op(Opcodes.LDC_W, file.type(self))
                    .op(
                            Opcodes.INVOKEVIRTUAL,
                            file.method(UNSAFE, "allocateInstance", "(Ljava/lang/Class;)Ljava/lang/Object;"));
        }
        body.op(Opcodes.CHECKCAST, file.type(self)).local(Opcodes.ASTORE, TYPED);
        if (!layout.isLeaf()) {
            String consumer = "java/util/function/Consumer";
            body.local(Opcodes.ALOAD, HAND)
                    .op(Opcodes.CHECKCAST, file.type(consumer))
                    .local(Opcodes.ALOAD, TYPED);
            body.callInterface(consumer, "accept", "(Ljava/lang/Object;)V", 2);
        }
        openRoom(body);
        long at = 0;
        for (Field field : layout.primitives()) {
            long place = at;
            store(body, field, () -> readPrimitive(body, field.getType(), place));
            at += FieldLayout.width(field.getType());
        }
        cast(body, "java/util/function/Supplier", LINE);
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
        if (isOfNest(field) && !Modifier.isFinal(field.getModifiers())) {
            body.local(Opcodes.ALOAD, TYPED);
            value.run();
            body.op(Opcodes.PUTFIELD, constant(field));
        } else {
            theUnsafe(body);
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
        body.local(Opcodes.ALOAD, LINE).callInterface("java/util/function/Supplier", "get", "()Ljava/lang/Object;", 1);
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
        openRoom(body);
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
        cast(body, "java/util/function/Supplier", LINE);
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

    /** The form of an instruction for ints that handles another type. */
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
