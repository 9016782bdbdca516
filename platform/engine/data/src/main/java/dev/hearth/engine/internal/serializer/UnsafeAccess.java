package dev.hearth.engine.internal.serializer;

import java.lang.invoke.MethodHandles;
import java.lang.reflect.Field;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Access to fields by memory offset, through {@code sun.misc.Unsafe}. A generated class calls Unsafe, because the
 * compiler warns about direct calls and the warning cannot be suppressed. Stateless; each process has one instance if
 * its JVM has Unsafe.
 */
interface UnsafeAccess {
    /** The instance of this process; null if the JVM has no Unsafe. Serializers then use reflection. */
    @Nullable
    UnsafeAccess OF_PROCESS = Generator.open();

    byte byteAt(Object owner, long offset);

    long longAt(Object owner, long offset);

    @Nullable
    Object objectAt(Object owner, long offset);

    /**
     * Returns the memory offset of {@code field} in objects of the class that declares it. Fails for records and hidden
     * classes.
     */
    long offset(Field field);

    /** Returns the memory offset of the first element in arrays of the class {@code array}. */
    int firstOfBytes(Class<?> array);

    /** Allocates an object without running a constructor. */
    Object allocate(Class<?> type);

    /** Generates the implementation. */
    final class Generator {
        static final String UNSAFE = "sun/misc/Unsafe";
        static final String FIELD = "U";
        static final String DESCRIPTOR = "Lsun/misc/Unsafe;";

        private Generator() {}

        private static @Nullable UnsafeAccess open() {
            try {
                MethodHandles.Lookup lookup = MethodHandles.lookup();
                Class<?> made = lookup.defineHiddenClass(bytes(), true).lookupClass();
                return (UnsafeAccess) made.getDeclaredConstructor().newInstance();
            } catch (ReflectiveOperationException | LinkageError | RuntimeException none) {
                return null; // this JVM has no Unsafe: use reflection, which is slower
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

        /** Adds a static field to the generated class, and code that sets the field to the {@code Unsafe} instance. */
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
