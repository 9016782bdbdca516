package dev.hearth.hadoop;

import dev.hearth.api.Placed;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.task.JobContextImpl;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.apache.hadoop.util.ReflectionUtils;

/** Input format of {@code org.apache.hadoop.mapreduce}. */
final class NewInput<K, V> extends FormatInput<K, V> {
    private static final long serialVersionUID = 1L;
    private static final String PLANNING = "splits";

    private final Class<? extends InputFormat<K, V>> format;

    NewInput(Configuration configuration, Class<? extends InputFormat<K, V>> format) {
        super(configuration);
        this.format = format;
    }

    @Override
    List<Placed<SplitBytes>> splits(int minSplits, boolean withEmpty) throws IOException, InterruptedException {
        Configuration configuration = configuration();
        JobContextImpl job = new JobContextImpl(configuration, new AttemptIds(PLANNING, 0, 0).jobId());
        List<Placed<SplitBytes>> placed = new ArrayList<>();
        for (InputSplit split :
                ReflectionUtils.newInstance(format, configuration).getSplits(job)) {
            if (withEmpty || split.getLength() > 0) {
                placed.add(new Placed<>(SplitBytes.of(split), hosts(split.getLocationInfo(), split.getLocations())));
            }
        }
        return placed;
    }

    @Override
    Records<K, V> open(Object split, Configuration configuration, AttemptIds ids)
            throws IOException, InterruptedException {
        ids.set(configuration);
        TaskAttemptContext task = new TaskAttemptContextImpl(configuration, ids.attemptId());
        InputSplit own = (InputSplit) split;
        RecordReader<K, V> reader =
                ReflectionUtils.newInstance(format, configuration).createRecordReader(own, task);
        boolean open = false;
        try {
            reader.initialize(own, task);
            open = true;
        } finally {
            if (!open) {
                reader.close();
            }
        }
        return new Records<>() {
            @Override
            public boolean next() throws IOException, InterruptedException {
                return reader.nextKeyValue();
            }

            @Override
            public K key() throws IOException, InterruptedException {
                return reader.getCurrentKey();
            }

            @Override
            public V value() throws IOException, InterruptedException {
                return reader.getCurrentValue();
            }

            @Override
            public void close() throws IOException {
                reader.close();
            }
        };
    }
}
