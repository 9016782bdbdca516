package dev.hearth.spi.application;

import dev.hearth.spi.stream.ContentId;

/**
 * Bundle in the exact version that executors of one application must run. The jar is identified by its content hash.
 */
public record FrozenBundle(String name, String version, ContentId content, long bytes) {
    @Override
    public String toString() {
        return name + " " + version;
    }
}
