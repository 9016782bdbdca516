package dev.hearth.engine.internal.driver.blocks;

import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.util.List;

/**
 * Settings of block replication and of the migration from decommissioned executors. Read from {@code hearth.storage.*}.
 */
public record ReplicationSettings(
        boolean proactive,
        int failuresMax,
        boolean moves,
        boolean movesBlocks,
        boolean movesOutputs,
        int outputsAtOnce,
        int moveFailuresMax) {
    private static final SettingKey<Boolean> PROACTIVE = SettingKey.flag(
            "hearth.storage.replication.proactive",
            true,
            "Whether blocks that lose a replica with an executor are replicated again.");
    private static final SettingKey<Integer> FAILURES = SettingKey.integer(
            "hearth.storage.maxReplicationFailures",
            1,
            0,
            1_000,
            "How many executors may fail to take a replica of a block before replication stops.");
    private static final SettingKey<Boolean> MOVES = SettingKey.flag(
            "hearth.storage.decommission.enabled",
            false,
            "Whether executors that are decommissioned migrate their blocks to others first.");
    private static final SettingKey<Boolean> BLOCKS = SettingKey.flag(
            "hearth.storage.decommission.rddBlocks.enabled",
            true,
            "Whether executors that are decommissioned migrate cached blocks of persisted datasets.");
    private static final SettingKey<Boolean> OUTPUTS = SettingKey.flag(
            "hearth.storage.decommission.shuffleBlocks.enabled",
            true,
            "Whether executors that are decommissioned" + " migrate map outputs.");
    private static final SettingKey<Integer> OUTPUTS_AT_ONCE = SettingKey.integer(
            "hearth.storage.decommission.shuffleBlocks.maxThreads",
            8,
            1,
            1_000,
            "How many map outputs a decommissioned executor migrates at once.");
    private static final SettingKey<Integer> MOVE_FAILURES = SettingKey.integer(
            "hearth.storage.decommission.maxReplicationFailuresPerBlock",
            3,
            0,
            1_000,
            "How many executors may fail to take over a block or a map output before it is lost with its executor.");

    public static final List<SettingKey<?>> KEYS =
            List.of(PROACTIVE, FAILURES, MOVES, BLOCKS, OUTPUTS, OUTPUTS_AT_ONCE, MOVE_FAILURES);

    public static ReplicationSettings from(Settings settings) {
        SettingsReader in = new SettingsReader(settings);
        ReplicationSettings read = new ReplicationSettings(
                in.read(PROACTIVE),
                in.read(FAILURES),
                in.read(MOVES),
                in.read(BLOCKS),
                in.read(OUTPUTS),
                in.read(OUTPUTS_AT_ONCE),
                in.read(MOVE_FAILURES));
        in.finish();
        return read;
    }
}
