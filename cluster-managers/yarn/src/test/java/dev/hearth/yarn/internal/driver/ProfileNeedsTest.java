package dev.hearth.yarn.internal.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.hearth.spi.cluster.ExecutorProfile;
import dev.hearth.spi.cluster.ProfileId;
import dev.hearth.spi.settings.Settings;
import dev.hearth.yarn.internal.line.ContainerCapability;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Containers of executors of several profiles. */
class ProfileNeedsTest {
    private static final Settings SETTINGS = Settings.empty()
            .with(
                    "test",
                    Map.of(
                            "hearth.executor.memory", "1g",
                            "hearth.executor.cores", "2",
                            "hearth.yarn.executor.resource.disk.amount", "3",
                            "hearth.executor.resource.gpu.amount", "1"));

    private static ContainerCapability container(ProfileId id, Settings of) {
        ExecutorProfile read = ExecutorProfile.of(of);
        ExecutorProfile profile =
                new ExecutorProfile(id, read.cores(), read.memory(), read.resources(), read.options());
        return ProfileNeeds.of(SETTINGS).apply(profile).capability();
    }

    @Test
    void addsTypesOfTheSettingsToTheDefaultProfile() {
        assertEquals(
                new ContainerCapability(1_408, 2, Map.of("disk", 3L, "yarn.io/gpu", 1L)),
                container(ProfileId.DEFAULT, SETTINGS));
    }

    @Test
    void addsOnlyWhatOtherProfilesAskFor() {
        Settings other = Settings.empty()
                .with(
                        "test",
                        Map.of(
                                "hearth.executor.memory", "2g",
                                "hearth.executor.cores", "4",
                                "hearth.executor.resource.fpga.amount", "2"));

        assertEquals(new ContainerCapability(2_432, 4, Map.of("yarn.io/fpga", 2L)), container(new ProfileId(1), other));
    }
}
