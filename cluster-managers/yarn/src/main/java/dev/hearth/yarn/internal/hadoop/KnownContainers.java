package dev.hearth.yarn.internal.hadoop;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import org.apache.hadoop.yarn.api.records.Container;

/** Hadoop's records of the containers that an application holds, by their ids. Any thread may call. */
final class KnownContainers {
    private final Map<String, Container> containers = new ConcurrentSkipListMap<>();

    void add(Container container) {
        containers.put(container.getId().toString(), container);
    }

    void remove(String id) {
        containers.remove(id);
    }

    Optional<Container> find(String id) {
        return Optional.ofNullable(containers.get(id));
    }

    List<Container> all() {
        return List.copyOf(containers.values());
    }
}
