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
 * The forms of one application's classes and the numbers by which records name them; only ever grows, and dies with the
 * application. Safe for use by any thread: what was made is published in copies, under the lock of this object.
 */
final class TypeSerializerRegistry implements RecordReader.FormSource {
    private static final ClassLoader JDK = ClassLoader.getPlatformClassLoader();

    private static final String UNMET = ""; // the entry of a class that was not met here

    private final UserObjectSerializer objects;
    private final ClassIds numbers;
    private final Map<Class<?>, TypeSerializer> forms = new ConcurrentHashMap<>();
    private volatile @Nullable TypeSerializer[] numbered = {}; // null for those that were not met here
    private volatile List<String> names = List.of();

    TypeSerializerRegistry(UserObjectSerializer objects, ClassIds numbers) {
        this.objects = objects;
        this.numbers = numbers;
    }

    /** The form of a class; null when its objects cannot travel. */
    @Nullable
    TypeSerializer of(Class<?> type) {
        TypeSerializer known = BuiltInSerializers.of(type);
        if (known == null) {
            known = forms.get(type);
        }
        return known == null ? make(type) : known;
    }

    private @Nullable TypeSerializer make(Class<?> type) {
        if (!Serializable.class.isAssignableFrom(type)) {
            return null;
        } else if (type.isArray()) {
            return add(type, "array", code -> new ArraySerializers.Objects(code, type));
        } else if (Enum.class.isAssignableFrom(type)) {
            return ofEnum(type);
        } else if (isForJava(type)) {
            return met(type, BuiltInSerializers.JAVA);
        }
        FieldLayout layout = FieldLayout.of(type);
        return add(type, layout.fingerprint(), code -> FieldSerializers.of(code, layout));
    }

    /** The form that a class has from now on, which is the first that was made. */
    private TypeSerializer met(Class<?> type, TypeSerializer made) {
        TypeSerializer before = forms.putIfAbsent(type, made);
        return before == null ? made : before;
    }

    private TypeSerializer ofEnum(Class<?> type) {
        Class<?> declaring = type.isEnum() ? type : type.getSuperclass();
        TypeSerializer known = forms.get(declaring);
        if (known == null) { // or Enum itself, of which there are no constants
            Object[] constants = declaring.isEnum() ? declaring.getEnumConstants() : new Object[0];
            known = add(declaring, FieldLayout.fingerprint(names(constants)), code -> new EnumForm(code, constants));
        }
        return met(type, known);
    }

    private static String names(Object[] constants) {
        StringBuilder names = new StringBuilder("enum");
        for (Object constant : constants) {
            names.append(';').append(((Enum<?>) constant).name());
        }
        return names.toString();
    }

    /** Whether only Java's serialisation knows how its objects travel. */
    private static boolean isForJava(Class<?> type) {
        ClassLoader loader = type.getClassLoader();
        return loader == null
                || loader == JDK
                || type.isHidden()
                || Proxy.isProxyClass(type)
                || type == Class.class
                || ImmutabilityCheck.hasFormOfItsOwn(type);
    }

    /** Asks for its number without the lock, for the answer may take long and tasks that wait may be told to end. */
    private TypeSerializer add(Class<?> type, String fingerprint, IntFunction<@Nullable TypeSerializer> making) {
        objects.admit(type, "record");
        String entry = type.getName() + ' ' + fingerprint;
        return add(type, entry, numbers.number(entry), making);
    }

    /** By Java's serialisation where {@code making} makes nothing, or another class of that very name was here before. */
    private synchronized TypeSerializer add(
            Class<?> type, String entry, int number, IntFunction<@Nullable TypeSerializer> making) {
        TypeSerializer known = forms.get(type);
        if (known != null) {
            return known;
        }
        TypeSerializer form = find(number) == null ? making.apply(TypeTag.CLASS + number) : null;
        if (form == null) {
            return met(type, BuiltInSerializers.JAVA);
        }
        List<String> longer = new ArrayList<>(names);
        while (longer.size() <= number) {
            longer.add(UNMET);
        }
        longer.set(number, entry);
        @Nullable TypeSerializer[] more = Arrays.copyOf(numbered, longer.size());
        more[number] = form;
        names = List.copyOf(longer); // before anybody finds the form
        numbered = more;
        return met(type, form);
    }

    private @Nullable TypeSerializer find(int number) {
        @Nullable TypeSerializer[] known = numbered;
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
        return known == null ? meet(code) : known;
    }

    /** The form of a class that was written elsewhere before it was here. */
    private TypeSerializer meet(int code) {
        String entry = numbers.entry(code - TypeTag.CLASS).orElseThrow(() -> unknown(code, names.size()));
        return named(entry);
    }

    private static CorruptRecordException unknown(int code, int known) {
        return new CorruptRecordException(
                "record: class number " + (code - TypeTag.CLASS) + " (expected: one of the " + known + " in use)");
    }

    /** Knows the forms by numbers that stand for {@code foreign}, given where the bytes were written. */
    RecordReader.FormSource by(List<String> foreign) {
        List<String> theirs = List.copyOf(foreign);
        return code -> {
            if (code < TypeTag.CLASS) {
                return BuiltInSerializers.at(code);
            }
            if (code - TypeTag.CLASS >= theirs.size()) {
                throw unknown(code, theirs.size());
            }
            return named(theirs.get(code - TypeTag.CLASS));
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
        TypeSerializer form = of(type);
        if (form == null
                || form.code() < TypeTag.CLASS
                || !names.get(form.code() - TypeTag.CLASS).equals(entry)) {
            throw ErrorCode.NOT_SERIALIZABLE.failure("record: class " + type.getName()
                    + " is not the one that was written (expected: the same fields, components or constants here and there);"
                    + " give every process the same jars");
        }
        return form;
    }

    /** Constants by their places. */
    private static final class EnumForm extends TypeSerializer {
        private final Object[] constants;

        EnumForm(int code, Object[] constants) {
            super(code, ReferenceTracking.NONE, true);
            this.constants = constants;
        }

        @Override
        @SuppressWarnings("EnumOrdinal") // the fingerprint says which constant stands where
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
