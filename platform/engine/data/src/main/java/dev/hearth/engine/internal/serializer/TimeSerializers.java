package dev.hearth.engine.internal.serializer;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * Serializers for classes of java.time. Classes of java.time without a serializer here are left to Java serialisation.
 * Stateless.
 */
final class TimeSerializers {
    private TimeSerializers() {}

    static void addTo(Map<Class<?>, TypeSerializer> serializers) {
        add(
                serializers,
                TypeTag.INSTANT,
                Instant.class,
                TimeSerializers::write,
                in -> Instant.ofEpochSecond(in.readLong(), in.readInt()));
        add(
                serializers,
                TypeTag.DURATION,
                Duration.class,
                (duration, out) -> {
                    out.writeLong(duration.getSeconds());
                    out.writeInt(duration.getNano());
                },
                in -> Duration.ofSeconds(in.readLong(), in.readInt()));
        add(serializers, TypeTag.LOCAL_DATE, LocalDate.class, TimeSerializers::write, TimeSerializers::readDate);
        add(serializers, TypeTag.LOCAL_TIME, LocalTime.class, TimeSerializers::write, TimeSerializers::readTime);
        add(
                serializers,
                TypeTag.LOCAL_DATE_TIME,
                LocalDateTime.class,
                TimeSerializers::write,
                TimeSerializers::readDateTime);
        add(serializers, TypeTag.ZONE_OFFSET, ZoneOffset.class, TimeSerializers::write, TimeSerializers::readOffset);
        add(
                serializers,
                TypeTag.OFFSET_DATE_TIME,
                OffsetDateTime.class,
                (time, out) -> {
                    write(time.toLocalDateTime(), out);
                    write(time.getOffset(), out);
                },
                in -> OffsetDateTime.of(readDateTime(in), readOffset(in)));
        add(
                serializers,
                TypeTag.ZONED_DATE_TIME,
                ZonedDateTime.class,
                TimeSerializers::write,
                TimeSerializers::readZoned);
        addDates(serializers);
    }

    private static void addDates(Map<Class<?>, TypeSerializer> serializers) {
        add(
                serializers,
                TypeTag.PERIOD,
                Period.class,
                (period, out) -> {
                    out.writeInt(period.getYears());
                    out.writeInt(period.getMonths());
                    out.writeInt(period.getDays());
                },
                in -> Period.of(in.readInt(), in.readInt(), in.readInt()));
        add(
                serializers,
                TypeTag.YEAR,
                Year.class,
                (year, out) -> out.writeInt(year.getValue()),
                in -> Year.of(in.readInt()));
        add(
                serializers,
                TypeTag.YEAR_MONTH,
                YearMonth.class,
                (month, out) -> {
                    out.writeInt(month.getYear());
                    out.writeByte(month.getMonthValue());
                },
                in -> YearMonth.of(in.readInt(), in.readByte()));
    }

    private static <T> void add(
            Map<Class<?>, TypeSerializer> serializers,
            int tag,
            Class<T> type,
            BiConsumer<T, RecordOutput> writing,
            Function<RecordInput, T> reading) {
        serializers.put(type, ValueSerializers.value(tag, type, writing, reading));
    }

    private static void write(Instant instant, RecordOutput out) {
        out.writeLong(instant.getEpochSecond());
        out.writeInt(instant.getNano());
    }

    private static void write(LocalDate date, RecordOutput out) {
        out.writeInt(date.getYear());
        out.writeByte(date.getMonthValue());
        out.writeByte(date.getDayOfMonth());
    }

    private static LocalDate readDate(RecordInput in) {
        return LocalDate.of(in.readInt(), in.readByte(), in.readByte());
    }

    private static void write(LocalTime time, RecordOutput out) {
        out.writeLong(time.toNanoOfDay());
    }

    private static LocalTime readTime(RecordInput in) {
        return LocalTime.ofNanoOfDay(in.readLong());
    }

    private static void write(LocalDateTime time, RecordOutput out) {
        write(time.toLocalDate(), out);
        write(time.toLocalTime(), out);
    }

    private static LocalDateTime readDateTime(RecordInput in) {
        return LocalDateTime.of(readDate(in), readTime(in));
    }

    private static void write(ZoneOffset offset, RecordOutput out) {
        out.writeInt(offset.getTotalSeconds());
    }

    private static ZoneOffset readOffset(RecordInput in) {
        return ZoneOffset.ofTotalSeconds(in.readInt());
    }

    private static void write(ZonedDateTime time, RecordOutput out) {
        write(time.toLocalDateTime(), out);
        write(time.getOffset(), out);
        StringEncoding.write(time.getZone().getId(), out);
    }

    /** Reads a date-time with its zone exactly as it was written, even if the rules of the zone have changed since. */
    private static ZonedDateTime readZoned(RecordInput in) {
        LocalDateTime time = readDateTime(in);
        ZoneOffset offset = readOffset(in);
        int tag = in.readByte();
        ZoneId zone = ZoneId.of(tag == TypeTag.LATIN_TEXT ? StringEncoding.readLatin(in) : StringEncoding.readWide(in));
        return ZonedDateTime.ofInstant(time, offset, zone);
    }
}
