package dev.hearth.spi.application;

import dev.hearth.spi.stream.ContentId;

/**
 * Bundle in the exact version that all executors of one application must run; {@code content} and {@code bytes} are the
 * hash and the size of its jar.
 */
public record FrozenBundle(String name, String version, ContentId content, long bytes) {
    @Override
    public String toString() {
        return name + " " + version;
    }
}
