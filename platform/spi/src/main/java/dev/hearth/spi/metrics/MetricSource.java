package dev.hearth.spi.metrics;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.osgi.annotation.versioning.ConsumerType;

/** Tells its numbers when asked. A service; any thread may call, and often: it reads what is there and computes little. */
@ConsumerType
public interface MetricSource {
    List<Sample> samples();

    /** One number: a dotted name such as {@code rpc.bytes.sent}, what it belongs to, and whether it only grows. */
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

    /** Whether a number only grows. */
    enum Kind {
        COUNTER,
        GAUGE
    }
}
