package dev.hearth.rpc.internal.codec;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;

/** The form for the first uses of a record: made at once, it passes every component as an object, numbers in boxes. */
final class GenericForm implements RecordForm {
    private final MethodHandle constructor; // (Object[]) -> Object
    private final MethodHandle[] accessors; // (Object) -> Object
    private final ValueCodec[] codecs;

    /** Uses {@code codecs}, which may be filled in later. */
    GenericForm(RecordShape shape, ValueCodec[] codecs) {
        this.constructor = shape.constructor()
                .asSpreader(Object[].class, shape.components())
                .asType(MethodType.methodType(Object.class, Object[].class));
        this.accessors = shape.accessors().stream()
                .map(accessor -> accessor.asType(MethodType.methodType(Object.class, Object.class)))
                .toArray(MethodHandle[]::new);
        this.codecs = codecs;
    }

    @Override
    public void write(WireOutput out, Object value) throws Throwable {
        for (int i = 0; i < codecs.length; i++) {
            out.put(codecs[i], (Object) accessors[i].invokeExact(value));
            out.moveTo(i + 1);
        }
    }

    @Override
    public Object read(WireInput in) throws Throwable {
        Object[] values = new Object[codecs.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = in.atEnd() ? codecs[i].missing() : codecs[i].read(in);
            in.moveTo(i + 1);
        }
        return construct(values);
    }

    Object construct(Object[] values) throws Throwable {
        return (Object) constructor.invokeExact(values);
    }
}
