package dev.hearth.engine.internal.record;

import java.lang.invoke.MethodHandles;
import java.lang.reflect.Field;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Fields of objects by where they lie, for those that the language does not let us reach. Stateless; one for the process, where
 * the JVM has {@code sun.misc.Unsafe}. The compiler warns of that class whatever one says, so that a generated class calls it.
 */
interface Memory {
    /** Null where the JVM offers none: then reflection must do. */
    @Nullable
    Memory OF_PROCESS = Generated.open();

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

        private static @Nullable Memory open() {
            try {
                MethodHandles.Lookup lookup = MethodHandles.lookup();
                Class<?> made = lookup.defineHiddenClass(bytes(), true).lookupClass();
                return (Memory) made.getDeclaredConstructor().newInstance();
            } catch (ReflectiveOperationException | LinkageError | RuntimeException none) {
                return null; // another JVM, or a later one: all is done by reflection, slower
            }
        }

        private static byte[] bytes() {
            ClassFile file = new ClassFile(Memory.class.getName().replace('.', '/') + "$Direct");
            addUnsafe(file);
            file.addConstructor();
            forward(file, "byteAt", "(Ljava/lang/Object;J)B", "getByte", Op.IRETURN);
            forward(file, "longAt", "(Ljava/lang/Object;J)J", "getLong", Op.LRETURN);
            forward(file, "objectAt", "(Ljava/lang/Object;J)Ljava/lang/Object;", "getObject", Op.ARETURN);
            forward(file, "offset", "(Ljava/lang/reflect/Field;)J", "objectFieldOffset", Op.LRETURN);
            forward(file, "firstOfBytes", "(Ljava/lang/Class;)I", "arrayBaseOffset", Op.IRETURN);
            forward(file, "allocate", "(Ljava/lang/Class;)Ljava/lang/Object;", "allocateInstance", Op.ARETURN);
            return file.bytes(List.of(Memory.class.getName().replace('.', '/')));
        }

        private static void forward(ClassFile file, String name, String type, String unsafe, int end) {
            ClassFile.Body body = file.new Body(ClassFile.PUBLIC, name, type);
            body.op(Op.GETSTATIC, file.field(file.name(), FIELD, DESCRIPTOR)).local(Op.ALOAD, 1);
            if (type.contains("J)")) {
                body.local(Op.LLOAD, 2);
            }
            body.op(Op.INVOKEVIRTUAL, file.method(UNSAFE, unsafe, type)).op(end).end();
        }

        /** Adds a static field that holds the one {@code Unsafe} there is. */
        static void addUnsafe(ClassFile file) {
            file.addStaticField(FIELD, DESCRIPTOR);
            String field = "java/lang/reflect/Field";
            file.new Body(ClassFile.STATIC, "<clinit>", "()V")
                    .op(Op.LDC_W, file.type(UNSAFE))
                    .op(Op.LDC_W, file.text("theUnsafe"))
                    .op(
                            Op.INVOKEVIRTUAL,
                            file.method(
                                    "java/lang/Class",
                                    "getDeclaredField",
                                    "(Ljava/lang/String;)Ljava/lang/reflect/Field;"))
                    .op(Op.DUP)
                    .op(Op.ICONST_1)
                    .op(Op.INVOKEVIRTUAL, file.method(field, "setAccessible", "(Z)V"))
                    .op(Op.ACONST_NULL)
                    .op(Op.INVOKEVIRTUAL, file.method(field, "get", "(Ljava/lang/Object;)Ljava/lang/Object;"))
                    .op(Op.CHECKCAST, file.type(UNSAFE))
                    .op(Op.PUTSTATIC, file.field(file.name(), FIELD, DESCRIPTOR))
                    .op(Op.RETURN)
                    .end();
        }
    }
}
