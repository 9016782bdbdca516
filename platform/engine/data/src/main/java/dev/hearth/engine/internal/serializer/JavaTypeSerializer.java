package dev.hearth.engine.internal.serializer;

import dev.hearth.spi.net.Bytes;

/** What says by itself how it is written, and whatever we know no better form for: Java's serialisation, through its gate. */
final class JavaTypeSerializer extends TypeSerializer {
    JavaTypeSerializer() {
        super(TypeTag.JAVA, ReferenceTracking.AFTERWARDS, false);
    }

    @Override
    void write(Object value, RecordWriter out) {
        out.writeByJava(value);
    }

    static void writeContent(Bytes bytes, RecordOutput out) {
        out.writeSize(bytes.size());
        bytes.read(content -> out.write(content, 0, content.length));
    }

    @Override
    Object read(RecordReader in) {
        return in.readByJava();
    }
}
