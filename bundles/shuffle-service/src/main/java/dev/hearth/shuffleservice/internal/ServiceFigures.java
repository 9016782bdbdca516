package dev.hearth.shuffleservice.internal;

import dev.hearth.spi.metrics.MetricSource;
import dev.hearth.spi.shuffle.FileSegment;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.osgi.service.component.annotations.Component;

/** Metrics of the shuffle service of this process. Any thread may call. */
@Component(service = {MetricSource.class, ServiceFigures.class})
public final class ServiceFigures implements MetricSource {
    private final LongAdder questions = new LongAdder();
    private final LongAdder outputsAsked = new LongAdder();
    private final LongAdder segmentsSent = new LongAdder();
    private final LongAdder bytesSent = new LongAdder();
    private final LongAdder outputsCorrupt = new LongAdder();
    private final LongAdder applicationsRemoved = new LongAdder();
    private volatile LongSupplier applications = () -> 0;
    private volatile LongSupplier indexBytes = () -> 0;

    void asked(int outputs) {
        questions.increment();
        outputsAsked.add(outputs);
    }

    void sent(List<FileSegment> segments) {
        segmentsSent.add(segments.size());
        segments.forEach(segment -> bytesSent.add(segment.bytes()));
    }

    void corrupt() {
        outputsCorrupt.increment();
    }

    void removed() {
        applicationsRemoved.increment();
    }

    void opened(LongSupplier applicationsNow, LongSupplier indexBytesNow) {
        applications = applicationsNow;
        indexBytes = indexBytesNow;
    }

    @Override
    public List<Sample> samples() {
        return List.of(
                Sample.gauge("shuffle.service.applications", Map.of(), (double) applications.getAsLong()),
                Sample.gauge("shuffle.service.index.bytes", Map.of(), (double) indexBytes.getAsLong()),
                counter("shuffle.service.questions", questions),
                counter("shuffle.service.outputs.asked", outputsAsked),
                counter("shuffle.service.segments.sent", segmentsSent),
                counter("shuffle.service.bytes.sent", bytesSent),
                counter("shuffle.service.outputs.corrupt", outputsCorrupt),
                counter("shuffle.service.applications.removed", applicationsRemoved));
    }

    private static Sample counter(String name, LongAdder value) {
        return Sample.counter(name, Map.of(), value.sum());
    }
}
