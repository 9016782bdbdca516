package dev.hearth.engine.internal.serializer;

import java.lang.invoke.MethodHandles;
import java.lang.reflect.Field;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Fields of objects by where they lie, for those that the language does not let us reach. Stateless; one for the process, where
 * the JVM has {@code sun.misc.Unsafe}. The compiler warns of that class whatever one says, so that a generated class calls it.
 */
interface UnsafeAccess {
    /** Null where the JVM offers none: then reflection must do. */
    @Nullable
    UnsafeAccess OF_PROCESS = Generated.open();

    byte byteAt(Object owner, long offset);

    long longAt(Object owner, long offset);

    @Nullable
    Object objectAt(Object owner, long offset);

    /** Where a field lies in its objects; no class of a record, and no hidden one, tells. */
    long offset(Field field);

    /** Where the first byte of an array lies. */
    int firstOfBytes(Class<?> array);

    /** An object none of whose constructors was run. */
    Object allocate(Class<?> type);

    /** Makes the class that is behind it. */
    final class Generated {
        static final String UNSAFE = "sun/misc/Unsafe";
        static final String FIELD = "U";
        static final String DESCRIPTOR = "Lsun/misc/Unsafe;";

        private Generated() {}

        private static @Nullable UnsafeAccess open() {
            try {
                MethodHandles.Lookup lookup = MethodHandles.lookup();
                Class<?> made = lookup.defineHiddenClass(bytes(), true).lookupClass();
                return (UnsafeAccess) made.getDeclaredConstructor().newInstance();
            } catch (ReflectiveOperationException | LinkageError | RuntimeException none) {
                return null; // another JVM, or a later one: all is done by reflection, slower
            }
        }

        private static byte[] bytes() {
            ClassFileBuilder file =
                    new ClassFileBuilder(UnsafeAccess.class.getName().replace('.', '/') + "$Direct");
            addUnsafe(file);
            file.addConstructor();
            forward(file, "byteAt", "(Ljava/lang/Object;J)B", "getByte", Opcodes.IRETURN);
            forward(file, "longAt", "(Ljava/lang/Object;J)J", "getLong", Opcodes.LRETURN);
            forward(file, "objectAt", "(Ljava/lang/Object;J)Ljava/lang/Object;", "getObject", Opcodes.ARETURN);
            forward(file, "offset", "(Ljava/lang/reflect/Field;)J", "objectFieldOffset", Opcodes.LRETURN);
            forward(file, "firstOfBytes", "(Ljava/lang/Class;)I", "arrayBaseOffset", Opcodes.IRETURN);
            forward(file, "allocate", "(Ljava/lang/Class;)Ljava/lang/Object;", "allocateInstance", Opcodes.ARETURN);
            return file.bytes(List.of(UnsafeAccess.class.getName().replace('.', '/')));
        }

        private static void forward(ClassFileBuilder file, String name, String type, String unsafe, int end) {
            ClassFileBuilder.Body body = file.new Body(ClassFileBuilder.PUBLIC, name, type);
            body.op(Opcodes.GETSTATIC, file.field(file.name(), FIELD, DESCRIPTOR))
                    .local(Opcodes.ALOAD, 1);
            if (type.contains("J)")) {
                body.local(Opcodes.LLOAD, 2);
            }
            body.op(Opcodes.INVOKEVIRTUAL, file.method(UNSAFE, unsafe, type))
                    .op(end)
                    .end();
        }

        /** Adds a static field that holds the one {@code Unsafe} there is. */
        static void addUnsafe(ClassFileBuilder file) {
            file.addStaticField(FIELD, DESCRIPTOR);
            String field = "java/lang/reflect/Field";
            file.new Body(ClassFileBuilder.STATIC, "<clinit>", "()V")
                    .op(Opcodes.LDC_W, file.type(UNSAFE))
                    .op(Opcodes.LDC_W, file.text("theUnsafe"))
                    .op(
                            Opcodes.INVOKEVIRTUAL,
                            file.method(
                                    "java/lang/Class",
                                    "getDeclaredField",
                                    "(Ljava/lang/String;)Ljava/lang/reflect/Field;"))
                    .op(Opcodes.DUP)
                    .op(Opcodes.ICONST_1)
                    .op(Opcodes.INVOKEVIRTUAL, file.method(field, "setAccessible", "(Z)V"))
                    .op(Opcodes.ACONST_NULL)
                    .op(Opcodes.INVOKEVIRTUAL, file.method(field, "get", "(Ljava/lang/Object;)Ljava/lang/Object;"))
                    .op(Opcodes.CHECKCAST, file.type(UNSAFE))
                    .op(Opcodes.PUTSTATIC, file.field(file.name(), FIELD, DESCRIPTOR))
                    .op(Opcodes.RETURN)
                    .end();
        }
    }
}
