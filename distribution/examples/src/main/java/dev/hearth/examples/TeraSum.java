package dev.hearth.examples;

import java.io.Serializable;
import java.util.zip.CRC32;

/** The number of records and the sum of their checksums, which does not depend on the order of the records. */
record TeraSum(long records, long checksum) implements Serializable {
    static final TeraSum NONE = new TeraSum(0, 0);

    static TeraSum of(byte[] record) {
        CRC32 checksum = new CRC32();
        checksum.update(record);
        return new TeraSum(1, checksum.getValue());
    }

    TeraSum plus(TeraSum other) {
        return new TeraSum(records + other.records, checksum + other.checksum);
    }

    @Override
    public String toString() {
        return records + "\t" + Long.toHexString(checksum);
    }
}
