/* SPDX-License-Identifier: MIT */
/* The form of the sidecar (bbprof-file.h), and the chunks that each of them has: of the run, the
   machine, the objects.  Context: cold, lock held. */
#include "runtime/base/base.h"
#include "runtime/dump/dump.h"
#include "runtime/objects/objects.h"

/* Four bits at a time, by a table of 16 entries. */
uint32_t
bbp_bbx_crc (uint32_t crc, const void *bytes, size_t n)
{
  static uint32_t table[16];
  for (uint32_t i = 0; !table[15] && i < 16; i++)
    {
      uint32_t value = i;
      for (int bit = 0; bit < 4; bit++)
        value = value >> 1 ^ (value & 1 ? 0xedb88320 : 0);
      table[i] = value;
    }
  crc = ~crc;
  for (const unsigned char *p = bytes; n--; p++)
    {
      crc ^= *p;
      crc = crc >> 4 ^ table[crc & 15];
      crc = crc >> 4 ^ table[crc & 15];
    }
  return ~crc;
}

void
bbp_bbx_chunk (struct bbp_out *out, uint32_t type, const struct bbp_part *parts)
{
  static const char padding[8];
  struct bbx_chunk chunk = { .type = type };
  for (int i = 0; i < BBP_PARTS; i++)
    chunk.length += parts[i].n;
  chunk.crc = bbp_bbx_crc (0, &chunk.type, sizeof chunk.type);
  chunk.crc = bbp_bbx_crc (chunk.crc, &chunk.length, sizeof chunk.length);
  for (int i = 0; i < BBP_PARTS; i++)
    chunk.crc = bbp_bbx_crc (chunk.crc, parts[i].bytes, parts[i].n);
  bbp_out_bytes (out, &chunk, sizeof chunk);
  for (int i = 0; i < BBP_PARTS; i++)
    bbp_out_bytes (out, parts[i].bytes, parts[i].n);
  bbp_out_bytes (out, padding, -chunk.length % 8);
}

void
bbp_bbx_header (struct bbp_out *out)
{
  struct bbx_header header = { .version = BBX_VERSION, .bytes = sizeof header, .run = bbp.run };
  bbp_copy_bytes (header.magic, BBX_MAGIC, sizeof header.magic);
  bbp_out_bytes (out, &header, sizeof header);
}

uint32_t
bbp_bbx_run (struct bbp_out *out)
{
  const char *program = bbp_object_executable ()->path;
  struct bbx_run content;
  bbp_dump_above.describe_run (&content);
  const struct bbp_part parts[BBP_PARTS]
      = { { &content, sizeof content }, { program, bbp_string_bytes (program) } };
  bbp_bbx_chunk (out, BBX_TYPE_RUN, parts);
  return GMON_MOMENT (content.wall);
}

void
bbp_bbx_machine (struct bbp_out *out)
{
  struct bbx_machine machine;
  if (bbp_dump_above.describe_machine (&machine))
    bbp_bbx_chunk (out, BBX_TYPE_MACHINE,
                   (const struct bbp_part[BBP_PARTS]) { { &machine, sizeof machine } });
}

void
bbp_bbx_object (struct bbp_out *out, const struct bbp_object *object, uint32_t flags)
{
  const struct bbx_object content = {
    .base = object->base,
    .start = object->start,
    .end = object->end,
    .text_start = object->text_start,
    .text_end = object->text_end,
    .bias = object->bias,
    .loads = object->loads,
    .flags = flags,
    .build_id_bytes = (uint32_t) object->build_id_bytes,
    .path_bytes = (uint32_t) bbp_string_bytes (object->path),
  };
  const struct bbp_part parts[BBP_PARTS] = { { &content, sizeof content },
                                             { object->build_id, object->build_id_bytes },
                                             { object->path, content.path_bytes } };
  bbp_bbx_chunk (out, BBX_TYPE_OBJECT, parts);
}

void
bbp_bbx_time (struct bbp_out *out)
{
  struct bbp_sampling_facts facts;
  bbp_dump_above.describe_sampling (&facts);
  const struct bbx_time time = { .ticks = facts.taken, .due = facts.due };
  if (time.ticks && time.due)
    bbp_bbx_chunk (out, BBX_TYPE_TIME,
                   (const struct bbp_part[BBP_PARTS]) { { &time, sizeof time } });
}
