package dev.hearth.hadoop;

import dev.hearth.api.Placed;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.InputFormat;
import org.apache.hadoop.mapred.InputSplit;
import org.apache.hadoop.mapred.InputSplitWithLocationInfo;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.RecordReader;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.mapred.SplitLocationInfo;
import org.apache.hadoop.util.ReflectionUtils;

/** Input format of {@code org.apache.hadoop.mapred}. */
final class OldInput<K, V> extends FormatInput<K, V> {
    private static final long serialVersionUID = 1L;

    private final Class<? extends InputFormat<K, V>> format;

    OldInput(Configuration configuration, Class<? extends InputFormat<K, V>> format) {
        super(configuration);
        this.format = format;
    }

    private InputFormat<K, V> format(JobConf job) {
        return ReflectionUtils.newInstance(format, job);
    }

    @Override
    List<Placed<SplitBytes>> splits(int minSplits, boolean withEmpty) throws IOException {
        JobConf job = new JobConf(configuration());
        List<Placed<SplitBytes>> placed = new ArrayList<>();
        for (InputSplit split : format(job).getSplits(job, minSplits)) {
            if (withEmpty || split.getLength() > 0) {
                SplitLocationInfo[] infos =
                        split instanceof InputSplitWithLocationInfo located ? located.getLocationInfo() : null;
                placed.add(new Placed<>(SplitBytes.of(split), hosts(infos, split.getLocations())));
            }
        }
        return placed;
    }

    @Override
    Records<K, V> open(Object split, Configuration configuration, AttemptIds ids) throws IOException {
        JobConf job = new JobConf(configuration);
        ids.set(job);
        RecordReader<K, V> reader = format(job).getRecordReader((InputSplit) split, job, Reporter.NULL);
        K key = reader.createKey();
        V value = reader.createValue();
        return new Records<>() {
            @Override
            public boolean next() throws IOException {
                return reader.next(key, value);
            }

            @Override
            public K key() {
                return key;
            }

            @Override
            public V value() {
                return value;
            }

            @Override
            public void close() throws IOException {
                reader.close();
            }
        };
    }
}
