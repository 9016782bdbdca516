package dev.hearth.engine.internal.serializer;

import dev.hearth.engine.internal.closure.UserObjectSerializer;
import java.util.List;

/**
 * The format of one application's records: forms for what programs mostly hold, codecs generated for their classes, and Java's
 * serialisation for the rest. Everything it knows of classes is kept here, so that it dies with the application. Thread-safe.
 */
public final class ApplicationRecordFormat implements RecordFormat {
    private final UserObjectSerializer objects;
    private final TypeSerializerRegistry forms;
    private final int bytesMax; // of one record

    /** For an application that has no other process. */
    public ApplicationRecordFormat(UserObjectSerializer objects) {
        this(objects, new ClassIdTable());
    }

    public ApplicationRecordFormat(UserObjectSerializer objects, ClassIds numbers) {
        this(objects, numbers, RecordOutput.BYTES_MAX);
    }

    ApplicationRecordFormat(UserObjectSerializer objects, ClassIds numbers, int bytesMax) {
        this.bytesMax = bytesMax;
        this.objects = objects;
        this.forms = new TypeSerializerRegistry(objects, numbers);
    }

    @Override
    public Writer writer() {
        return new RecordWriter(forms::of, objects, bytesMax);
    }

    @Override
    public Reader reader() {
        return new RecordReader(forms, objects);
    }

    @Override
    public Reader reader(List<String> names) {
        return new RecordReader(forms.by(names), objects);
    }

    @Override
    public List<String> names() {
        return forms.names();
    }
}
