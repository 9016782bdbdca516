package dev.hearth.engine.internal.serializer;

import dev.hearth.engine.internal.closure.ImmutabilityCheck;
import dev.hearth.engine.internal.closure.UserObjectSerializer;
import dev.hearth.spi.error.ErrorCode;
import java.io.Serializable;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Serializers of one application's classes, with the numbers that identify these classes in records. Entries are never
 * removed; the registry is unloaded with the application. Any thread may call: an update copies the tables and
 * publishes the copies under this object's lock.
 */
final class TypeSerializerRegistry implements RecordReader.FormSource {
    private static final ClassLoader JDK = ClassLoader.getPlatformClassLoader();

    private static final String UNKNOWN = ""; // entry of a number that this process has not used

    private final UserObjectSerializer objects;
    private final ClassIds numbers;
    private final Map<Class<?>, TypeSerializer> serializers = new ConcurrentHashMap<>();
    private volatile @Nullable TypeSerializer[] byNumber = {}; // null for classes that this process has not used
    private volatile List<String> names = List.of();

    TypeSerializerRegistry(UserObjectSerializer objects, ClassIds numbers) {
        this.objects = objects;
        this.numbers = numbers;
    }

    /** Returns the serializer of a class; null if its objects are not serialisable. */
    @Nullable
    TypeSerializer of(Class<?> type) {
        TypeSerializer known = BuiltInSerializers.of(type);
        if (known == null) {
            known = serializers.get(type);
        }
        return known == null ? make(type) : known;
    }

    private @Nullable TypeSerializer make(Class<?> type) {
        if (!Serializable.class.isAssignableFrom(type)) {
            return null;
        } else if (type.isArray()) {
            return add(type, "array", code -> new ArraySerializers.ObjectArrays(code, type));
        } else if (Enum.class.isAssignableFrom(type)) {
            return ofEnum(type);
        } else if (needsJavaSerialization(type)) {
            return register(type, BuiltInSerializers.JAVA);
        }
        FieldLayout layout = FieldLayout.of(type);
        return add(type, layout.fingerprint(), code -> FieldSerializers.of(code, layout));
    }

    /**
     * Registers {@code created} as the serializer of {@code type}, unless the class has a serializer already. Returns
     * the serializer that the class has now.
     */
    private TypeSerializer register(Class<?> type, TypeSerializer created) {
        TypeSerializer first = serializers.putIfAbsent(type, created);
        return first == null ? created : first;
    }

    private TypeSerializer ofEnum(Class<?> type) {
        Class<?> declaring = type.isEnum() ? type : type.getSuperclass();
        TypeSerializer known = serializers.get(declaring);
        if (known == null) { // the declaring class may be Enum itself, which has no constants
            Object[] constants = declaring.isEnum() ? declaring.getEnumConstants() : new Object[0];
            known = add(
                    declaring, FieldLayout.fingerprint(names(constants)), code -> new EnumSerializer(code, constants));
        }
        return register(type, known);
    }

    private static String names(Object[] constants) {
        StringBuilder names = new StringBuilder("enum");
        for (Object constant : constants) {
            names.append(';').append(((Enum<?>) constant).name());
        }
        return names.toString();
    }

    /** Whether objects of the class must be written by Java serialisation. */
    private static boolean needsJavaSerialization(Class<?> type) {
        ClassLoader loader = type.getClassLoader();
        return loader == null
                || loader == JDK
                || type.isHidden()
                || Proxy.isProxyClass(type)
                || type == Class.class
                || ImmutabilityCheck.hasFormOfItsOwn(type);
    }

    /**
     * Adds a serializer for a class. Requests the number that identifies the class in records outside the lock. Another
     * process may assign that number, so the request may take long, and the task may be killed meanwhile.
     */
    private TypeSerializer add(Class<?> type, String fingerprint, IntFunction<@Nullable TypeSerializer> factory) {
        objects.admit(type, "record");
        String entry = type.getName() + ' ' + fingerprint;
        return add(type, entry, numbers.number(entry), factory);
    }

    /**
     * Adds a serializer for {@code type}; in records, the class number {@code number} identifies this class. Adds Java
     * serialisation if {@code factory} creates no serializer, or if another class of the same name has the number
     * already.
     */
    private synchronized TypeSerializer add(
            Class<?> type, String entry, int number, IntFunction<@Nullable TypeSerializer> factory) {
        TypeSerializer known = serializers.get(type);
        if (known != null) {
            return known;
        }
        TypeSerializer serializer = find(number) == null ? factory.apply(TypeTag.CLASS + number) : null;
        if (serializer == null) {
            return register(type, BuiltInSerializers.JAVA);
        }
        List<String> longer = new ArrayList<>(names);
        while (longer.size() <= number) {
            longer.add(UNKNOWN);
        }
        longer.set(number, entry);
        @Nullable TypeSerializer[] more = Arrays.copyOf(byNumber, longer.size());
        more[number] = serializer;
        names = List.copyOf(longer); // published before the serializer, whose number is an index into it
        byNumber = more;
        return register(type, serializer);
    }

    private @Nullable TypeSerializer find(int number) {
        @Nullable TypeSerializer[] known = byNumber;
        return number < known.length ? known[number] : null;
    }

    List<String> names() {
        return names;
    }

    @Override
    public TypeSerializer at(int code) {
        if (code < TypeTag.CLASS) {
            return BuiltInSerializers.at(code);
        }
        TypeSerializer known = find(code - TypeTag.CLASS);
        return known == null ? resolve(code) : known;
    }

    /**
     * Returns the serializer of the class that has {@code code} in records: {@link TypeTag#CLASS} plus its class
     * number. Needed when this process reads objects of the class before it has written any. Throws if no class has
     * that number.
     */
    private TypeSerializer resolve(int code) {
        String entry = numbers.entry(code - TypeTag.CLASS).orElseThrow(() -> unknown(code, names.size()));
        return named(entry);
    }

    private static CorruptRecordException unknown(int code, int known) {
        return new CorruptRecordException(
                "record: class number " + (code - TypeTag.CLASS) + " (expected: one of the " + known + " known ones)");
    }

    /**
     * Returns the serializers for records of another application. {@code foreign} has an entry, as in {@link ClassIds},
     * for each class number of that application.
     */
    RecordReader.FormSource by(List<String> foreign) {
        List<String> foreignEntries = List.copyOf(foreign);
        return code -> {
            if (code < TypeTag.CLASS) {
                return BuiltInSerializers.at(code);
            }
            if (code - TypeTag.CLASS >= foreignEntries.size()) {
                throw unknown(code, foreignEntries.size());
            }
            return named(foreignEntries.get(code - TypeTag.CLASS));
        };
    }

    private TypeSerializer named(String entry) {
        int end = entry.lastIndexOf(' ');
        if (end < 0) {
            throw new CorruptRecordException(
                    "record: class entry '" + entry + "' (expected: a name and a fingerprint)");
        }
        Class<?> type = objects.find(entry.substring(0, end), "record");
        objects.admit(type, "record");
        TypeSerializer serializer = of(type);
        if (serializer == null
                || serializer.code() < TypeTag.CLASS
                || !names.get(serializer.code() - TypeTag.CLASS).equals(entry)) {
            throw ErrorCode.NOT_SERIALIZABLE.failure("record: class " + type.getName()
                    + " differs from the serialised one (expected: the same fields, components or constants in all"
                    + " processes); give every process the same jars");
        }
        return serializer;
    }

    /** Serializer for the constants of one enum, which are written as their ordinals. */
    private static final class EnumSerializer extends TypeSerializer {
        private final Object[] constants;

        EnumSerializer(int code, Object[] constants) {
            super(code, ReferenceTracking.NONE, true);
            this.constants = constants;
        }

        @Override
        @SuppressWarnings("EnumOrdinal") // the fingerprint contains the order of the constants
        void write(Object value, RecordWriter out) {
            out.out().writeSize(((Enum<?>) value).ordinal());
        }

        @Override
        Object read(RecordReader in) {
            int place = in.in().readSize();
            if (place < 0 || place >= constants.length) {
                throw new CorruptRecordException(
                        "record: constant " + place + " of an enum (expected: one of its " + constants.length + ")");
            }
            return constants[place];
        }
    }
}
