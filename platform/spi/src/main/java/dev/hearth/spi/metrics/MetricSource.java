package dev.hearth.spi.metrics;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * Source of metrics, registered as a service. Called frequently and from any thread, so an implementation must only
 * read existing values.
 */
@ConsumerType
public interface MetricSource {
    List<Sample> samples();

    /**
     * Value of one metric at the time of the call: a dotted name such as {@code rpc.bytes.sent}, labels, the kind
     * (counter or gauge) and the value.
     */
    record Sample(String name, Map<String, String> labels, Kind kind, double value) {
        public Sample {
            labels = Collections.unmodifiableMap(new TreeMap<>(labels));
        }

        public static Sample counter(String name, Map<String, String> labels, long value) {
            return new Sample(name, labels, Kind.COUNTER, (double) value);
        }

        public static Sample gauge(String name, Map<String, String> labels, double value) {
            return new Sample(name, labels, Kind.GAUGE, value);
        }
    }

    /** Kind of a metric: a counter only grows, and a gauge may also shrink. */
    enum Kind {
        COUNTER,
        GAUGE
    }
}
