package dev.hearth.hadoop;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.Serializable;
import java.util.Map;
import org.apache.hadoop.hdfs.BlockMissingException;
import org.apache.hadoop.security.AccessControlException;

/**
 * How splits are read. {@code reuse} gives the reader's own objects instead of copies. Read from the settings of the
 * application. Immutable.
 */
record ReadRules(boolean ignoreCorrupt, boolean ignoreMissing, boolean withEmpty, boolean reuse)
        implements Serializable {
    static ReadRules of(Map<String, String> settings, boolean reuse) {
        return new ReadRules(
                is(settings, "hearth.files.ignoreCorruptFiles", false),
                is(settings, "hearth.files.ignoreMissingFiles", false),
                !is(settings, "hearth.hadoopRDD.ignoreEmptySplits", true),
                reuse);
    }

    private static boolean is(Map<String, String> settings, String key, boolean otherwise) {
        return Boolean.parseBoolean(settings.getOrDefault(key, Boolean.toString(otherwise)));
    }

    /** Whether the rest of a split is left out after this failure. Refused and lost files are never corrupt ones. */
    boolean ignores(Exception failure) {
        if (failure instanceof FileNotFoundException) {
            return ignoreMissing;
        }
        return ignoreCorrupt
                && !(failure instanceof AccessControlException)
                && !(failure instanceof BlockMissingException)
                && (failure instanceof IOException || failure instanceof RuntimeException);
    }
}
