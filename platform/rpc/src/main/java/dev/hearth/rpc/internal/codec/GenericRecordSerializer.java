package dev.hearth.rpc.internal.codec;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/**
 * Serializer for the first uses of a record type, before {@link RecordSerializerCompiler} replaces it. It needs no
 * compilation, but it is slower: it uses reflection and boxes numbers.
 */
final class GenericRecordSerializer implements RecordSerializer {
    private final Constructor<?> constructor;
    private final Method[] accessors;
    private final ValueCodec[] codecs;

    /**
     * Creates a serializer for the record type of {@code shape}. It keeps the array {@code codecs}, one per component,
     * whose elements may be set later.
     */
    GenericRecordSerializer(RecordAccessor shape, ValueCodec[] codecs) {
        this.constructor = shape.constructor();
        this.accessors = shape.accessors().toArray(new Method[0]);
        this.codecs = codecs;
    }

    @Override
    public void write(WireOutput out, Object value) throws Throwable {
        for (int i = 0; i < codecs.length; i++) {
            out.put(codecs[i], component(i, value));
            out.moveTo(i + 1);
        }
    }

    @Override
    public Object read(WireInput in) throws Throwable {
        Object[] values = new Object[codecs.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = in.atEnd() ? codecs[i].defaultValue() : codecs[i].read(in);
            in.moveTo(i + 1);
        }
        return construct(values);
    }

    Object construct(Object[] values) throws Throwable {
        try {
            return constructor.newInstance(values);
        } catch (InvocationTargetException refusal) {
            throw refusal.getCause();
        }
    }

    private Object component(int index, Object value) throws Throwable {
        if (!accessors[index].getDeclaringClass().isInstance(value)) {
            throw new ClassCastException(value.getClass() + " is not " + accessors[index].getDeclaringClass());
        }
        try {
            return accessors[index].invoke(value);
        } catch (InvocationTargetException failure) {
            throw failure.getCause();
        }
    }
}
