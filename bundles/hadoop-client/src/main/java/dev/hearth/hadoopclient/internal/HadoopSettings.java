package dev.hearth.hadoopclient.internal;

import dev.hearth.hadoopclient.api.HadoopIdentity;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.SettingsGroup;
import java.util.List;
import java.util.stream.Stream;

/** Declares the settings that become keys of Hadoop, and those of the identity of applications. Stateless. */
public final class HadoopSettings implements SettingsGroup {
    static final String PREFIX = "hearth.hadoop.";
    private static final int BUFFER_BYTES = 65_536;

    static final SettingKey<String> KEYS_OF_HADOOP = SettingKey.family(
            PREFIX + "*",
            "Keys of Hadoop's configuration: `hearth.hadoop.fs.defaultFS` sets `fs.defaultFS`, before its site files.",
            "a name of Hadoop's configuration",
            (name, value) -> !name.isBlank());
    static final SettingKey<Integer> BUFFER_SIZE = SettingKey.integer(
            "hearth.buffer.size",
            BUFFER_BYTES,
            1,
            Integer.MAX_VALUE,
            "Size in bytes of the buffers with which Hadoop reads and writes files, its `io.file.buffer.size`.");

    @Override
    public String owner() {
        return "hadoop-client";
    }

    @Override
    public List<SettingKey<?>> keys() {
        return Stream.concat(Stream.of(KEYS_OF_HADOOP, BUFFER_SIZE), HadoopIdentity.KEYS.stream())
                .toList();
    }
}
