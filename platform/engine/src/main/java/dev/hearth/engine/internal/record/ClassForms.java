package dev.hearth.engine.internal.record;

import dev.hearth.engine.internal.serial.Unchangeable;
import dev.hearth.engine.internal.serial.UserObjects;
import dev.hearth.spi.error.ErrorCode;
import java.io.Serializable;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The forms of one application's classes and the numbers by which records name them; only ever grows, and dies with the
 * application. Safe for use by any thread: what was made is published in copies, under the lock of this object.
 */
final class ClassForms implements RecordReader.FormSource {
    private static final int CLASSES_MAX = 1 << 20;
    private static final ClassLoader JDK = ClassLoader.getPlatformClassLoader();

    private final UserObjects objects;
    private final Map<Class<?>, Form> forms = new ConcurrentHashMap<>();
    private volatile Form[] numbered = {};
    private volatile List<String> names = List.of();

    ClassForms(UserObjects objects) {
        this.objects = objects;
    }

    /** The form of a class; null when its objects cannot travel. */
    @Nullable
    Form of(Class<?> type) {
        Form known = BuiltInForms.of(type);
        if (known == null) {
            known = forms.get(type);
        }
        return known == null ? make(type) : known;
    }

    private synchronized @Nullable Form make(Class<?> type) {
        Form known = forms.get(type);
        if (known != null) {
            return known;
        }
        Form made;
        if (!Serializable.class.isAssignableFrom(type)) {
            return null;
        } else if (type.isArray()) {
            made = add(type, "array", new ArrayForms.Objects(next(), type));
        } else if (Enum.class.isAssignableFrom(type)) {
            made = ofEnum(type);
        } else if (isForJava(type)) {
            made = BuiltInForms.JAVA;
        } else {
            Layout layout = Layout.of(type);
            Form form = FieldForms.of(next(), layout);
            made = form == null ? BuiltInForms.JAVA : add(type, layout.fingerprint(), form);
        }
        forms.put(type, made);
        return made;
    }

    private Form ofEnum(Class<?> type) {
        Class<?> declaring = type.isEnum() ? type : type.getSuperclass();
        Form known = forms.get(declaring);
        if (known == null) { // or Enum itself, of which there are no constants
            Object[] constants = declaring.isEnum() ? declaring.getEnumConstants() : new Object[0];
            known = add(declaring, Layout.fingerprint(names(constants)), new EnumForm(next(), constants));
            forms.put(declaring, known);
        }
        return known;
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
                || Unchangeable.hasFormOfItsOwn(type);
    }

    private int next() {
        if (numbered.length >= CLASSES_MAX) {
            throw ErrorCode.NOT_SERIALIZABLE.failure("record: more than " + CLASSES_MAX
                    + " classes of one application (expected: at most so many); do not generate classes for data");
        }
        return Tag.CLASS + numbered.length;
    }

    private Form add(Class<?> type, String fingerprint, Form form) {
        objects.admit(type, "record");
        List<String> longer = new ArrayList<>(names);
        longer.add(type.getName() + ' ' + fingerprint);
        Form[] more = Arrays.copyOf(numbered, numbered.length + 1);
        more[numbered.length] = form;
        numbered = more;
        names = List.copyOf(longer);
        return form;
    }

    List<String> names() {
        return names;
    }

    @Override
    public Form at(int code) {
        if (code < Tag.CLASS) {
            return BuiltInForms.at(code);
        }
        Form[] known = numbered;
        if (code - Tag.CLASS >= known.length) {
            throw unknown(code, known.length);
        }
        return known[code - Tag.CLASS];
    }

    private static DamagedRecord unknown(int code, int known) {
        return new DamagedRecord(
                "record: class number " + (code - Tag.CLASS) + " (expected: one of the " + known + " in use)");
    }

    /** Knows the forms by numbers that stand for {@code foreign}, given where the bytes were written. */
    RecordReader.FormSource by(List<String> foreign) {
        List<String> theirs = List.copyOf(foreign);
        return code -> {
            if (code < Tag.CLASS) {
                return BuiltInForms.at(code);
            }
            if (code - Tag.CLASS >= theirs.size()) {
                throw unknown(code, theirs.size());
            }
            return named(theirs.get(code - Tag.CLASS));
        };
    }

    private Form named(String entry) {
        int end = entry.lastIndexOf(' ');
        if (end < 0) {
            throw new DamagedRecord("record: class entry '" + entry + "' (expected: a name and a fingerprint)");
        }
        Class<?> type = objects.find(entry.substring(0, end), "record");
        objects.admit(type, "record");
        Form form = of(type);
        if (form == null
                || form.code() < Tag.CLASS
                || !names.get(form.code() - Tag.CLASS).equals(entry)) {
            throw ErrorCode.NOT_SERIALIZABLE.failure("record: class " + type.getName()
                    + " is not the one that was written (expected: the same fields, components or constants here and there);"
                    + " give every process the same jars");
        }
        return form;
    }

    /** Constants by their places. */
    private static final class EnumForm extends Form {
        private final Object[] constants;

        EnumForm(int code, Object[] constants) {
            super(code, Sharing.NONE, true);
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
                throw new DamagedRecord(
                        "record: constant " + place + " of an enum (expected: one of its " + constants.length + ")");
            }
            return constants[place];
        }
    }
}
