package dev.hearth.engine.internal.compress;

import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.util.List;

/**
 * Settings of compression: the codec, and whether to compress map outputs and spilled data. Read from
 * {@code hearth.io.compression.codec} and {@code hearth.shuffle.*compress}.
 */
public record CompressionSettings(CompressionCodec codec, boolean shuffle, boolean spill) {
    private static final SettingKey<CompressionCodec> CODEC = SettingKey.choice(
            "hearth.io.compression.codec",
            CompressionCodec.class,
            CompressionCodec.LZ4,
            "Codec of compressed shuffle and spill files: lz4 is the fastest, zstd the smallest.");
    private static final SettingKey<Boolean> SHUFFLE =
            SettingKey.flag("hearth.shuffle.compress", true, "Whether the outputs of map tasks are compressed.");
    private static final SettingKey<Boolean> SPILL = SettingKey.flag(
            "hearth.shuffle.spill.compress", true, "Whether the data that tasks spill to disk is compressed.");

    public static final List<SettingKey<?>> KEYS = List.of(CODEC, SHUFFLE, SPILL);

    public static CompressionSettings from(Settings settings) {
        SettingsReader in = new SettingsReader(settings);
        CompressionSettings read = new CompressionSettings(in.read(CODEC), in.read(SHUFFLE), in.read(SPILL));
        in.finish();
        return read;
    }

    /** The codec for map outputs: {@code NONE} if the settings exclude map outputs from compression. */
    public CompressionCodec ofShuffles() {
        return shuffle ? codec : CompressionCodec.NONE;
    }

    /** The codec for spilled data: {@code NONE} if the settings exclude spilled data from compression. */
    public CompressionCodec ofSpills() {
        return spill ? codec : CompressionCodec.NONE;
    }
}
